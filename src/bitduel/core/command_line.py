"""What the commands of several ways in share."""

import click

db_option = click.option(
    "--db", metavar="URL", help="Where matches are kept, such as sqlite:///matches.db; or set BITDUEL_DB."
)
