"""Which recogniser of speech a deployment uses."""

from yarrow.media.transcription.recogniser import Recogniser


def recogniser_named(name: str) -> Recogniser:
    """The recogniser of this name: `amazon` is Amazon Transcribe, `embedded` works without a network. ValueError."""
    match name:
        case "amazon":
            from yarrow.media.transcription import amazon

            return amazon.recognise
        case "embedded":
            from yarrow.media.transcription import embedded

            return embedded.recognise
    raise ValueError(f"TRANSCRIBER must be amazon or embedded, not {name!r}")
