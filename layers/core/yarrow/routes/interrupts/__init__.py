"""The routes of `functions/interrupts`: questions of runs to their user."""
