"""Web Push: messages to browsers, encrypted for them (RFC 8291) and signed by the deployment (RFC 8292)."""
