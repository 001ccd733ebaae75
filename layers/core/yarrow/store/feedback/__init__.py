"""Users' feedback on the answers they got."""
