"""The storage of matches: SQLite in the user's data folder by default, PostgreSQL by URL."""

from bitduel.storage.errors import (
    MissingGameError,
    NoLongerError,
    OverError,
    PausedError,
    PlyTakenError,
    RoundTakenError,
    StoreError,
    UnknownMatchError,
)
from bitduel.storage.store import Store, open_store
from bitduel.storage.stored_match import StoredMatch

__all__ = [
    "MissingGameError",
    "NoLongerError",
    "OverError",
    "PausedError",
    "PlyTakenError",
    "RoundTakenError",
    "Store",
    "StoreError",
    "StoredMatch",
    "UnknownMatchError",
    "open_store",
]
