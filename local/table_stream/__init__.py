"""Streams of tables: changes, in order by partition key, delivered to functions as Lambda's mappings do."""
