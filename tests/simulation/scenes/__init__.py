"""What happens in stories, by door: each spawns its actors, and checks what is left when everything has settled."""
