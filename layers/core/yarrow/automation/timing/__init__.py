"""When jobs run: their days and hours, and the times that these are in a time zone."""
