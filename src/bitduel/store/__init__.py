"""Matches kept: SQLite in the user's data folder by default, PostgreSQL by URL."""

from bitduel.store.errors import (
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
from bitduel.store.kept import Kept
from bitduel.store.store import Store, open_store

__all__ = [
    "AddressError",
    "DamagedError",
    "ForeignError",
    "FullError",
    "Kept",
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
    "UnknownMatchError",
    "UnreachableError",
    "open_store",
]
