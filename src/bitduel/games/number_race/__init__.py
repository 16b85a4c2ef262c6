"""The shared parts of the two number races: rules, law, words and lessons."""

from bitduel.games.number_race.rules import NumberPosition, NumberRace

__all__ = ["NumberPosition", "NumberRace"]
