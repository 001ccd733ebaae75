"""The words of advice: what to do about a matter or a named thing, in what manner, and whom to mind."""
