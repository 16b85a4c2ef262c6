"""Classes: pupils who join by a code, activities, pairings, standings, and what the solver knows of each pupil."""
