"""What is simulated, by door: each scenario spawns its actors, and checks what is left when everything has settled."""
