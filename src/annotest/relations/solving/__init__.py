"""Variables with values and conditions on them, and the search for values that fit together."""
