"""The command `bitduel mcp`."""

import click

from bitduel.core.errors import RequiredExtra
from bitduel.core.folders import db_option

EXAMPLES = """\b
Examples:
  bitduel mcp
  bitduel mcp --db sqlite:///club.db
  bitduel mcp --http --port 8765
"""


@click.command("mcp", epilog=EXAMPLES)
@click.option("--http", is_flag=True, help="Use HTTP on this machine instead of standard input and output.")
@click.option("--port", type=click.IntRange(0, 65535), help="With --http: the port to use.  [default: 8765]")
@db_option
def command(http: bool, port: int | None, db: str | None) -> None:
    """Let language models and other agents play, using the Model Context Protocol (MCP).

    Uses standard input and output, for clients that start it. With --http it accepts clients on this machine
    only, until you press Ctrl-C.
    """
    if port is not None and not http:
        raise click.UsageError("--port needs --http.")
    with RequiredExtra("mcp", "MCP"):
        from bitduel.mcp import transports

    if http:
        transports.run_http(transports.PORT if port is None else port, db)
    else:
        transports.run_stdio(db)
