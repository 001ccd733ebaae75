"""TLS of posts: the certificate is that of the name in the URL, though the connection goes to an address (EVB-04)."""

import asyncio
import datetime
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from yarrow.outbound import posting
from yarrow.outbound.posting import PostResult, post

NAME = "hooks.example.com"


def certificate(folder: Path, name: str) -> Path:
    """Write a certificate that signs itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / f"{name}.pem"
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return file


def _read_request(connection: ssl.SSLSocket) -> None:
    """Read all of a request: a connection that is closed before that is reset, and its answer may be lost."""
    read = b""
    while piece := connection.recv(65_536):
        read += piece
        head, _, body = read.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        if b"\r\n\r\n" in read and len(body) >= (int(length[1]) if length else 0):
            return


class Server:
    """A server of this machine with a certificate; `names` are those that clients asked for."""

    def __init__(self, file: Path) -> None:
        self.names: list[str | None] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(file)
        self._context.sni_callback = lambda _, name, __: self.names.append(name)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                with suppress(OSError), self._context.wrap_socket(connection, server_side=True) as secure:
                    _read_request(secure)
                    secure.sendall(b"HTTP/1.1 204 N\r\nContent-Length: 0\r\n\r\n")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Server]:
    """Serve for the name that the test is given, at the address that NAME has."""
    file = certificate(tmp_path, request.param)
    original = socket.getaddrinfo

    def getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        return original("127.0.0.1" if name == NAME else host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    trusting = ssl.create_default_context(cafile=file)
    monkeypatch.setattr(posting, "_tls", lambda: trusting)
    made = Server(file)
    yield made
    made.listener.close()


def send(server: Server) -> PostResult:
    return asyncio.run(post(f"https://{NAME}:{server.port}/", b"{}", {}, allows_loopback=True))


@pytest.mark.parametrize("server", [NAME], indirect=True)
def test_the_certificate_is_that_of_the_name(server: Server) -> None:
    """EVB-04."""
    assert send(server).status == 204
    assert server.names == [NAME]


@pytest.mark.parametrize("server", ["another.example.com"], indirect=True)
def test_the_certificate_of_another_name_is_refused(server: Server) -> None:
    """EVB-04: trusted or not."""
    assert send(server).error == "the certificate is not valid"


@pytest.mark.parametrize("server", [NAME], indirect=True)
def test_a_certificate_that_nobody_vouches_for_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-04."""
    monkeypatch.setattr(posting, "_tls", ssl.create_default_context)
    assert send(server).error == "the certificate is not valid"
