"""API Gateway: its definition from the template, its routing, its authorizer and its events."""
