"""Uploads, attachments and transcription, as `file-upload.md` has them."""
