"""`python -m annotest`."""

from annotest.cli.entry import main

main()
