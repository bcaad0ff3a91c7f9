"""What modules share, imported once, before the processes are forked that need it."""
