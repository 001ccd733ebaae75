"""Upload requests: files of each type, their forms, and malformed forms."""

THREAD = "550e8400-e29b-41d4-a716-446655440000"


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"


HEADS = {
    "image/avif": b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf",
    "image/gif": b"GIF89a\x01\x00\x01\x00\x80\x00\x00",
    "image/heif": b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
    "image/jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00",
    "image/png": PNG,
    "image/webp": b"RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00",
    "application/pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
}
"""Files of each type, as far as it takes to know them."""


POSING = {
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "svg with a declaration": b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    "html": b"<!DOCTYPE html><script>alert(1)</script>",
    "html after the first bytes of a PNG": b"\x89PNG<html><script>alert(1)</script></html>",
    "text": b"GIF is a format",
    "a program": b"\x7fELF\x02\x01\x01\x00",
    "an archive": b"PK\x03\x04\x14\x00\x00\x00\x08\x00",
    "zeros": bytes(64),
}


FORM = "multipart/form-data; boundary=frontier"


def part(headers: str, data: bytes) -> bytes:
    return b"--frontier\r\n" + headers.encode() + b"\r\n\r\n" + data + b"\r\n"


def thread_part(value: str = THREAD) -> bytes:
    return part('Content-Disposition: form-data; name="threadId"', value.encode())


def file_part(data: bytes = PNG, filename: str = 'filename="plate.png"', media_type: str = "image/png") -> bytes:
    disposition = f'Content-Disposition: form-data; name="file"; {filename}'
    return part(f"{disposition}\r\nContent-Type: {media_type}", data)


END = b"--frontier--\r\n"


OTHER = part('Content-Disposition: form-data; name="other"', b"x")


HOSTILE: dict[str, tuple[str, bytes]] = {
    "no boundary": ("multipart/form-data", thread_part() + file_part() + END),
    "an empty boundary": ("multipart/form-data; boundary=", thread_part() + file_part() + END),
    "a boundary of 1,000 characters": (f"multipart/form-data; boundary={'b' * 1000}", thread_part() + END),
    "another boundary": ("multipart/form-data; boundary=other", thread_part() + file_part() + END),
    "no body": (FORM, b""),
    "no parts": (FORM, END),
    "no file": (FORM, thread_part() + END),
    "no threadId": (FORM, file_part() + END),
    "no end": (FORM, thread_part() + file_part()),
    "an end within a part": (FORM, thread_part() + file_part()[:-10]),
    "two files": (FORM, thread_part() + file_part() + file_part() + END),
    "two threadIds": (FORM, thread_part() + thread_part() + file_part() + END),
    "a long threadId": (FORM, thread_part("x" * 10**6) + file_part() + END),
    "10,000 parts": (FORM, thread_part() + OTHER * 10_000 + file_part() + END),
    "10,000 empty parts": (FORM, b"--frontier\r\n\r\n\r\n" * 10_000 + END),
    "10,000 headers": (FORM, part("X: y\r\n" * 10_000 + "Z: z", b"") + END),
    "a header of a megabyte": (FORM, part("X: " + "y" * 10**6, b"") + END),
    "a header without a colon": (FORM, b"--frontier\r\nnonsense\r\n\r\n" + END),
    "no form at all": (FORM, b'{"threadId": "x"}'),
    "noise": (FORM, bytes(range(256)) * 100),
}
