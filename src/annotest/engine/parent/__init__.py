"""The process of the command line: what is to be done, in which order, and what came of it."""
