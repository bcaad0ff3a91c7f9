"""Findings for people and for programs: the terminal and JSON."""
