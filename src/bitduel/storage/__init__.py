"""Matches kept: SQLite in the user's data folder by default, PostgreSQL by URL."""

from bitduel.storage.errors import (
    AddressError,
    DamagedError,
    ForeignError,
    FullError,
    LockedError,
    MissingGameError,
    MovedError,
    NewerError,
    NoLongerError,
    OverError,
    PlyTakenError,
    ReadOnlyError,
    RoundTakenError,
    StoreError,
    UnknownMatchError,
    UnreachableError,
)
from bitduel.storage.store import Store, open_store
from bitduel.storage.stored_match import StoredMatch

__all__ = [
    "AddressError",
    "DamagedError",
    "ForeignError",
    "FullError",
    "LockedError",
    "MissingGameError",
    "MovedError",
    "NewerError",
    "NoLongerError",
    "OverError",
    "PlyTakenError",
    "ReadOnlyError",
    "RoundTakenError",
    "Store",
    "StoreError",
    "StoredMatch",
    "UnknownMatchError",
    "UnreachableError",
    "open_store",
]
