"""Delivers changes of tables to functions as event source mappings do, in order by partition key."""
