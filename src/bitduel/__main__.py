"""The command line, as `python -m bitduel`."""

from bitduel.cli import main

main()
