"""Child processes of our own."""

import faulthandler
import os
import signal
import time

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


def test_a_stack_that_is_written_late_is_waited_for():
    output = process.Output()

    def hang():
        faulthandler.register(process.DUMP_SIGNAL, output.descriptor)
        signal.pthread_sigmask(signal.SIG_BLOCK, [process.DUMP_SIGNAL])
        blocked.send(True)
        time.sleep(0.3)  # as a child that gets no processor
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [process.DUMP_SIGNAL])
        signal.pause()

    blocked = process.Channel()
    pid = process.fork(hang, lambda text: None)
    blocked.receive()
    process.ask_for_dump(pid, output, hangs=True)
    process.kill(pid)
    process.reap(pid)
    assert "in hang" in output.tail()
