"""The games for learners, each ecosystem by its own interface; only the module that is asked for is loaded.

`bitduel.rl.pettingzoo`, `bitduel.rl.gymnasium` and `bitduel.rl.open_spiel`; docs/learners.md shows how.
"""
