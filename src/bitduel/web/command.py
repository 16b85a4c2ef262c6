"""`bitduel serve`: the site."""

import click

from bitduel.core.command_line import db_option

EXAMPLES = """\b
Examples:
  bitduel serve
  bitduel serve --port 9000 --db sqlite:///club.db
  bitduel serve --host 0.0.0.0 --name games.example.org --db postgresql://user@host/bitduel --workers 4
"""


@click.command("serve", epilog=EXAMPLES)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port to listen on.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name the site goes by; can be given again.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Server processes.")
@db_option
def command(host: str, port: int, names: tuple[str, ...], workers: int, db: str | None) -> None:
    """Serve the games to browsers and programs; Ctrl-C stops it."""
    from bitduel.web.serve import serve

    serve(host, port, names, workers, db)
