"""The workspace protocol: commands of the page, frames for it, and agents' results there. No I/O."""
