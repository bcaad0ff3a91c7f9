"""A target's whole call as steps: what is drawn, built, checked, in which order."""
