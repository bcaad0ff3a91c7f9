"""Paths → modules, statically; modules → targets, in a worker; what is not testable and why."""
