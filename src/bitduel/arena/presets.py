"""Runs that are settled beforehand, so that results from different places can be compared."""

from typing import NamedTuple

from bitduel.arena.schedule import ALL
from bitduel.core.errors import BitduelError


class PresetError(BitduelError):
    """Something else than what a preset settles."""


class ArenaPreset(NamedTuple):
    """What a preset settles; everything else is for whoever runs it."""

    name: str
    about: str
    players: tuple[str, ...]
    """Who always takes part, besides those that are named."""
    rounds: int
    seed: int
    games: str = ALL
    talk: tuple[str, ...] = ()
    """How language models are asked, as --llm-set says it."""

    def check_talk(self, chosen: tuple[str, ...]) -> None:
        """Raises PresetError for a switch that the preset settles."""
        settled = {setting.partition("=")[0] for setting in self.talk}
        for setting in chosen:
            name = setting.partition("=")[0].strip()
            if name in settled:
                raise PresetError(f"The preset {self.name} settles {name}; leave it out, or leave out the preset.")


PRESETS = {
    preset.name: preset
    for preset in (
        ArenaPreset(
            "reference",
            "the benchmark of docs/benchmark.md: every game, 50 rounds, against everybody built in",
            players=("perfect", "hard", "medium", "easy", "random"),
            rounds=50,
            seed=1,
            talk=("legal=yes", "history=yes", "rules=full", "stateless=yes", "attempts=5"),
        ),
        ArenaPreset(
            "gg-bench",
            "the published protocol of gg-bench: 30 games a title, seats alternating, legal moves told, five attempts",
            players=(),
            rounds=15,
            seed=0,
            talk=("legal=yes", "history=no", "rules=full", "stateless=yes", "attempts=5"),
        ),
    )
}
"""The presets, by name."""
