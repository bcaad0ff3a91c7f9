"""Layers."""

SIZES = (1, 2, 3)
