"""Persists moto's state: a module loads its store and makes moto's calls write there before they return."""
