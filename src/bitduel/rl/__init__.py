"""The games for learners, each ecosystem by its own interface: import the module that is wanted, nothing else is loaded.

`bitduel.rl.pettingzoo`, `bitduel.rl.gymnasium` and `bitduel.rl.open_spiel`; docs/learners.md shows how.
"""
