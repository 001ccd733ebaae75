"""State in DynamoDB and S3. Every write that could race is conditional."""
