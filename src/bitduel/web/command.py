"""`bitduel serve`: the site."""

from typing import Any

import click

from bitduel.core.errors import RequiredExtra
from bitduel.core.folders import db_option

EXAMPLES = """\b
Examples:
  bitduel serve
  bitduel serve --port 9000 --db sqlite:///club.db
  bitduel serve --host 0.0.0.0
  bitduel serve --host 0.0.0.0 --name games.example.org --db postgresql://user@host/bitduel --workers 4
  bitduel serve --proxy 127.0.0.1 --name games.example.org --metrics-port 9464 --log-json
  bitduel serve --arena results
"""


@click.command("serve", epilog=EXAMPLES)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 lets other devices in."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port to listen on.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A host name for the site: HOST, HOST:PORT or https://HOST. Can be repeated.",
)
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Server processes.")
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS", help="A proxy to trust: an address or a network.")
@click.option(
    "--metrics-port", "figures", type=click.IntRange(1, 65535), help="Publish Prometheus metrics on this port."
)
@click.option("--log-json", "lines", is_flag=True, help="Log every request as a line of JSON on standard error.")
@click.option(
    "--people",
    type=click.IntRange(0, 1_000_000),
    default=200,
    show_default=True,
    metavar="N",
    help="How many people may share one address, such as a school's; 0 means no limit.",
)
@click.option(
    "--arena",
    type=click.Path(exists=True, file_okay=False),
    metavar="FOLDER",
    help="Show the arena runs in this folder.",
)
@click.option("--classes", is_flag=True, help="Let teachers create classes here.")
@click.option(
    "--keep",
    type=click.IntRange(1, 3650),
    default=7,
    show_default=True,
    metavar="DAYS",
    help="Delete a class, with all names, so many days after its last activity.",
)
@click.option("--no-lobby", "lobby", flag_value=False, default=True, help="Do not pair visitors with each other.")
@db_option
def command(**options: Any) -> None:
    """Start the website and its API. Press Ctrl-C to stop them."""
    with RequiredExtra("web", "The site"):
        from bitduel.web.serve import ServeOptions, serve

    serve(ServeOptions(**options))
