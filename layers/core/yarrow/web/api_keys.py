"""API keys: bearer credentials of AG-UI clients (SEC-02, `agui-http-agent.md`). A key is `yk_`, its id, `_`, and 256
random bits; only its hash is stored. It acts as one user on the routes in `tokens.API_KEY_ROUTES`.
"""

import hashlib
import hmac
import re
import secrets
from typing import Final

from yarrow.protocol.caller import Caller
from yarrow.store import api_keys, clock
from yarrow.store.api_keys import StoredApiKey
from yarrow.web.tokens import API_KEY_PREFIX, SUBJECT, InvalidTokenError, bearer

MAX_LABEL_LENGTH: Final = 64

_FORM: Final = re.compile(API_KEY_PREFIX + r"([0-9a-f]{16})_[A-Za-z0-9_-]{43}")
_UNKNOWN: Final = StoredApiKey(id="", sha256="0" * 64, user_id="", label="", created_at="", last_four="")


def create(user_id: str, label: str, *, operates: bool = False) -> tuple[str, str]:
    """Return a new key's id and the key, an operator's if it `operates`.

    Raises ValueError for an invalid user id or label.
    """
    if not SUBJECT.fullmatch(user_id):
        raise ValueError("a user id must have 1 to 128 ASCII characters")
    if not (0 < len(label) <= MAX_LABEL_LENGTH and label.isprintable()):
        raise ValueError(f"a label must have 1 to {MAX_LABEL_LENGTH} printable characters")
    key_id = secrets.token_hex(8)
    key = f"{API_KEY_PREFIX}{key_id}_{secrets.token_urlsafe(32)}"
    stored = StoredApiKey(key_id, _sha256(key), user_id, label, clock.now_iso(), last_four=key[-4:], operates=operates)
    api_keys.add(stored)
    return key_id, key


def identify(authorization: str) -> Caller:
    """Return the key's caller. Raises InvalidTokenError."""
    key = bearer(authorization)
    form = _FORM.fullmatch(key)
    if form is None:
        raise InvalidTokenError("no API key")
    # Unknown ids are compared too, so that timing does not reveal them.
    stored = api_keys.read(form[1]) or _UNKNOWN
    if not hmac.compare_digest(stored.sha256, _sha256(key)):
        raise InvalidTokenError("unknown API key")
    if stored.revoked_at is not None:
        raise InvalidTokenError("revoked API key")
    return Caller(stored.user_id, operates=stored.operates, api_key=stored.id)


def _sha256(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
