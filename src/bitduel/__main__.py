"""`python -m bitduel` is `bitduel`."""

from bitduel.cli import main

main()
