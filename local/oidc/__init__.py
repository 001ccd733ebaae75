"""The local issuer's OpenID Connect: authorization code with PKCE, refresh tokens, logout.

Sources: OpenID Connect Core 1.0, Discovery 1.0 and RP-Initiated Logout 1.0; RFC 6749, 7636, 9207 and 9700.
"""
