"""The workspace protocol: commands of the page, frames for it, and what an agent shows there. No I/O."""
