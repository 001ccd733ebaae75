"""Uploads, attachments, signed URLs, pictures."""
