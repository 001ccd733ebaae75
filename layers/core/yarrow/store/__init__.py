"""State in DynamoDB and S3: sessions, messages, runs, journals. Every write that could race is conditional."""
