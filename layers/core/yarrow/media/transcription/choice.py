"""The recogniser of a deployment."""

from yarrow.media.transcription.recogniser import Recogniser


def recogniser_named(name: str) -> Recogniser:
    """Find a recogniser. Raises ValueError for an unknown name."""
    match name:
        case "amazon":
            from yarrow.media.transcription import amazon

            return amazon.recognise
        case "embedded":
            from yarrow.media.transcription import embedded

            return embedded.recognise
    raise ValueError(f"TRANSCRIBER must be amazon or embedded, not {name!r}")
