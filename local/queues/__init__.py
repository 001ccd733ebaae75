"""SQS queues: rules of event buses that send to them, and event source mappings that deliver them to functions."""
