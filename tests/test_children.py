"""Child processes of our own."""

import os
import signal

from annotest import process


def test_a_signal_to_a_child_that_has_just_begun_stays_in_it():
    def interrupt(number, frame):
        raise KeyboardInterrupt

    me, escaped = os.getpid(), 77
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        for _ in range(40):
            try:
                pid = process.fork(signal.pause, lambda text: None)
            except KeyboardInterrupt:
                os._exit(escaped if os.getpid() != me else 1)
            os.kill(pid, signal.SIGTERM)
            assert os.waitstatus_to_exitcode(process.reap(pid)) != escaped
    finally:
        signal.signal(signal.SIGTERM, before)
