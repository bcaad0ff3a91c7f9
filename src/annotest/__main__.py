"""`python -m annotest`."""

from annotest.cli.main import main

main(prog_name="annotest")
