"""The routes of functions that serve several, one module each: parse, call, render."""
