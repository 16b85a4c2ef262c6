"""Tells a site that shares the store what happens at its tables: by PostgreSQL; SQLite it watches itself."""

from bitduel.service.hub import Hub, News
from bitduel.storage import Store
from bitduel.storage.notifications import CHANNEL


class Herald(Hub):
    """Nobody listens here; those who do elsewhere hear that a match has changed, and look at it themselves."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.notifier = store.notifier

    def payload(self, match_id: str, news: News) -> str | None:
        """Which match it is."""
        return match_id if self.notifier else None

    def published(self, match_id: str, news: News) -> None:
        """Whoever listens has heard of it from the database."""

    def publish(self, match_id: str) -> None:
        """Say that something about a match has changed."""
        if self.notifier:
            self.notifier.notify(CHANNEL, match_id)
