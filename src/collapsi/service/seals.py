"""Tokens and signatures that hold after a restart: HMAC with a secret that the service keeps in a file."""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import os
import secrets
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from collapsi.system.files import read_file, sync

if TYPE_CHECKING:
    from pathlib import Path

SECRET_BYTES = 32
MAC_BYTES = 16
"""128 bits: too many to guess."""
ID_BYTES = 9

log = logging.getLogger(__name__)


class Seals:
    """Makes and checks tokens and signatures. Without a file the secret lasts as long as the process."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    @cached_property
    def _secret(self) -> bytes:
        """The secret, read or made when it is first needed."""
        if self._file is None:
            return secrets.token_bytes(SECRET_BYTES)
        try:
            return stored_secret(self._file)
        except OSError as error:
            reason = error.strerror or str(error)
            log.warning("collapsi: cannot keep the secret of rooms in %s: %s", self._file, reason)
            return secrets.token_bytes(SECRET_BYTES)

    def token(self, room: str, seat: str) -> str:
        """The token of a seat in a room."""
        return self._mac("seat", room, seat)

    def seal(self, text: str) -> str:
        """A text with its signature in front."""
        return f"{self._mac('state', text)}~{text}"

    def unseal(self, sealed: str) -> str | None:
        """The text, or None if the signature is not ours."""
        mac, _, text = sealed.partition("~")
        return text if is_same(mac, self._mac("state", text)) else None

    def _mac(self, *parts: str) -> str:
        message = _bytes("\0".join(parts))
        mac = hmac.digest(self._secret, message, hashlib.sha256)[:MAC_BYTES]
        return base64.urlsafe_b64encode(mac).decode().rstrip("=")


def is_same(given: str, known: str) -> bool:
    """Compare two tokens in a time that does not depend on where they differ."""
    return hmac.compare_digest(_bytes(given), _bytes(known))


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # a request may contain anything


def new_id() -> str:
    """A room's id that no other room has."""
    return secrets.token_urlsafe(ID_BYTES)


def stored_secret(file: Path) -> bytes:
    """The secret in a file that only its owner can read; made if there is none, replaced if it is damaged."""
    found = b""
    with suppress(FileNotFoundError, ValueError):  # the latter: it is too long
        found = read_file(file, SECRET_BYTES)
    if len(found) == SECRET_BYTES:
        return found
    file.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".partial-{os.getpid()}-{file.name}")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as written:
            written.write(secrets.token_bytes(SECRET_BYTES))
        sync(partial)
        with suppress(FileExistsError):  # another server has just made one: it is used by both
            os.link(partial, file)
    finally:
        partial.unlink(missing_ok=True)
    return read_file(file, SECRET_BYTES)
