"""Wire contracts between clients, runners and this service. No I/O and no AWS."""
