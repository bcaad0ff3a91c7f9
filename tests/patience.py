"""How long tests wait for what should take a moment: on a busy machine it takes longer."""

import os

LONGEST = 900  # seconds: so long takes what hangs, and nothing else on any machine


def patience(seconds):
    """Return so many seconds, times the processes that there are for each processor."""
    return min(LONGEST, seconds * max(3.0, 2 * os.getloadavg()[0] / os.cpu_count()))
