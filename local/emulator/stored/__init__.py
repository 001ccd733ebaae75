"""What moto would forget: each part loads what its store has, and has moto's calls write there before they answer."""
