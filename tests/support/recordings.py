"""The form of a recording to transcribe."""

FORM = "multipart/form-data; boundary=b"


def part(content: bytes, content_type: str | None = "audio/wav", name: str = "audio") -> bytes:
    text = f"\r\nContent-Type: {content_type}" if content_type else ""
    head = f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="a.wav"{text}\r\n\r\n'
    return head.encode() + content + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--b--\r\n"
