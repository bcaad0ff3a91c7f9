"""Sizes, imported by a sibling; there is no __init__.py."""

LARGEST = 64
