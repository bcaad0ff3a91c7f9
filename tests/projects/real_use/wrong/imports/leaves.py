import sys

import annotest

if not hasattr(annotest, "no_such_thing"):
    sys.exit(1)  # planted: SystemExit
