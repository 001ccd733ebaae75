"""Publishes what happened in a deployment on its event bus, from the records of the table's stream, and ends questions
that expire.
"""
