"""The agent `cast`: guides a user through a cast in a workspace, step by step, and reads it."""
