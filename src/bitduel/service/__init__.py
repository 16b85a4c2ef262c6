"""Services over one store that several interfaces share: matches, seats, offers, presence, notifications."""
