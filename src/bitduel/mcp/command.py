"""`bitduel mcp`: the games as tools."""

import click

from bitduel.core.command_line import db_option
from bitduel.core.extras import extra

EXAMPLES = """\b
Examples:
  bitduel mcp
  bitduel mcp --db sqlite:///club.db
  bitduel mcp --http --port 8765
"""


@click.command("mcp", epilog=EXAMPLES)
@click.option("--http", is_flag=True, help="Listen for HTTP on this machine instead of standard input.")
@click.option("--port", type=click.IntRange(0, 65535), help="With --http: the port to listen on.  [default: 8765]")
@db_option
def command(http: bool, port: int | None, db: str | None) -> None:
    """Let language models and other agents play, by the Model Context Protocol.

    Speaks on standard input and output, for clients that start it. With --http it listens for clients on this
    machine, and on no other, until Ctrl-C.
    """
    if port is not None and not http:
        raise click.UsageError("A port is listened on only with --http.")
    with extra("mcp", "MCP"):
        from bitduel.mcp import serve

    serve.on_http(serve.PORT if port is None else port, db) if http else serve.on_stdio(db)
