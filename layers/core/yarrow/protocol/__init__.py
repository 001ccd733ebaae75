"""Wire contracts: what clients, runners and this service say to each other. No I/O and no AWS."""
