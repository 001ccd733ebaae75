"""How an AG-UI client's request goes on with what is stored."""
