"""All that a site or a terminal loads before it begins, so that those that are forked from here start at once."""

from importlib import import_module

from bitduel.games.registry import all_games
from bitduel.web.serve import prepare

for name in ("alembic.runtime.migration", "uvicorn.lifespan.on", "uvicorn.loops.uvloop", "bitduel.storage.schema"):
    import_module(name)
import_module("bitduel.terminal.commands.play")
for kind in all_games():
    prepare(kind())
