"""Items: records as attributes, and the updates and conditions of writes."""
