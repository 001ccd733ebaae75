"""State in DynamoDB: sessions, their messages, runs and their journals. Every write that could race is conditional."""
