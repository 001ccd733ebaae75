"""HTTP for every function: from an API Gateway event to an ASGI app and back."""
