"""The command line."""

import sys

try:  # told before the rest is imported: a system without these could run none of it
    import fcntl
    import resource
except ModuleNotFoundError as missing:
    print(
        f"annotest: this Python has no module {missing.name!r}; "
        "annotest needs Linux or a system like it",
        file=sys.stderr,
    )
    sys.exit(3)
else:
    del fcntl, resource
