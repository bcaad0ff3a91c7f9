"""Relations between the arguments of a call: read from preconditions, met by construction."""
