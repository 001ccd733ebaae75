"""What every HTTP function shares: from an API Gateway event to an ASGI app and back."""
