"""From the outcome of a call to pass or failure. For now one oracle: the crash."""
