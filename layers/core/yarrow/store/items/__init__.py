"""What items are made of: records as attributes, and the updates and conditions of writes."""
