"""What a runner's own Lambda function needs: `serve` makes its handler, and the runner's API calls the host back."""

from yarrow.sdk.function import serve

__all__ = ["serve"]
