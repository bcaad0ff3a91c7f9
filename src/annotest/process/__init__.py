"""Child processes: starting, talking, watching, killing."""

from annotest.process.board import BUILDING, CALLING, DRAWING, IDLE, Blackboard
from annotest.process.channel import Channel, Gone, wait_for
from annotest.process.children import (
    DUMP_SIGNAL,
    adopt_orphans,
    ask_for_dump,
    can_fork,
    describe_status,
    end_strays,
    fork,
    is_own_fault,
    is_stopped,
    keep,
    kill,
    let_go,
    reap,
    reap_if_ended,
    reap_within,
    send_signal,
    trim,
    usual_signals,
    was_sent,
    write_no_core_files,
)
from annotest.process.limits import KILOBYTE, MEGABYTE, Limits, Watch, machine_memory, resident
from annotest.process.memory import file_in_memory
from annotest.process.output import Output
from annotest.process.segments import Segments, watched
from annotest.process.shield import CAN_SHIELD, behind, shielded, status_if_ended
from annotest.process.spawning import Ground, Program, read_program, spawn, write_program
from annotest.process.wire import Wire
