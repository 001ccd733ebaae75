"""Functions in processes of their own, which end as Lambda's sandboxes do."""
