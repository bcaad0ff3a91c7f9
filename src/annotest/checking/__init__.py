"""For tests that people write: `check` tests one function, `check_call` judges one call."""

from annotest.checking.calls import CallCheck, check_call
from annotest.checking.checks import Checked, CheckFailed, check

__all__ = ["CallCheck", "CheckFailed", "Checked", "check", "check_call"]
