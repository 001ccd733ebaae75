"""API Gateway: definition, routing, authorizer and events."""
