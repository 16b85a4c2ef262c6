"""`python -m bitduel` is `bitduel`."""

from bitduel.terminal.start import main

main()
