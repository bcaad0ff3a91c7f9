"""Lanes: each supervises the worker of one module, and keeps what is found."""
