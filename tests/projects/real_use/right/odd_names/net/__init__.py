"""A package beside a script of its name."""
