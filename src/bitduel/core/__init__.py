"""Games, matches, views, records, evaluations and lessons; imports no other package of bitduel."""
