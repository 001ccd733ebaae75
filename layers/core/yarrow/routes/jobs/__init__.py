"""The routes of `functions/jobs`: a user's automation jobs."""
