"""Uploads, attachments and transcription (`file-upload.md`)."""
