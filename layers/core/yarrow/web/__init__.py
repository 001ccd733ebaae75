"""HTTP for functions: API Gateway events to an ASGI app and back."""
