"""Speech as text: which recognisers there are, and the use case of the route."""
