"""All that a site or a terminal loads before it begins, so that those that are forked from here start at once."""

from importlib import import_module

from bitduel.games import shelf
from bitduel.web.serve import prepare

for name in ("alembic.runtime.migration", "uvicorn.lifespan.on", "uvicorn.loops.uvloop", "bitduel.storage.migrate"):
    import_module(name)
for name in ("play", "resume"):
    import_module(f"bitduel.terminal.commands.{name}")
for kind in shelf():
    prepare(kind())
