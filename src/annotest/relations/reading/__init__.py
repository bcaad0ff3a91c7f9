"""From the source of a precondition to conditions on variables."""
