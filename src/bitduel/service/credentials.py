"""Secrets of browsers and programs, their hashes, and the invitations made from them."""

import hmac
import secrets
from collections import OrderedDict
from hashlib import sha256
from threading import Lock


def new_token() -> str:
    """Return a secret of 256 random bits."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """Return the hash of a secret, which is all that is stored of it."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def invitation(token: str, sitting: str) -> str:
    """Return the secret part of an invitation, which only the inviter's browser can derive again."""
    return hmac.new(token.encode(), f"invitation to {sitting}".encode(), sha256).hexdigest()[:32]


class KnownLinks:
    """Links that were made or found valid here lately; they need not wait behind those that are not."""

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._links: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = Lock()

    def add(self, match_id: str, secret: str) -> None:
        """Remember a valid link, and forget the oldest of too many."""
        with self._lock:
            self._links[match_id, hashed(secret)] = None
            if len(self._links) > self._most:
                self._links.popitem(last=False)

    def has(self, match_id: str, secret: str) -> bool:
        """Return whether a link was valid when it was last looked at."""
        return (match_id, hashed(secret)) in self._links
