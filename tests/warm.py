"""A warm process that has imported annotest and forks for each command: no start, no imports.

A command so run is `python -m annotest` in all but the start of its interpreter. What depends on
that start (variables such as PYTHONPATH) or on /proc/PID/environ needs a process of its own.
"""

import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache

LARGEST = 1 << 18
ENVIRONMENT = dict(os.environ)
AT_THE_START = ("PYTHON", "LC_", "LANG", "LD_")
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"  # can be turned on later, too


def run(command, *, cwd, env, timeout):
    """Run `annotest` with these words in the warm process, as subprocess.run would in a cold one."""
    server, _ = _started()
    ends = [os.pipe() for _ in ("stdout", "stderr")]
    written = [write for _, write in ends]
    socket.send_fds(server, [json.dumps([command, str(cwd), dict(env)]).encode()], written)
    for write in written:
        os.close(write)
    pid = int(server.recv(LARGEST))
    with ThreadPoolExecutor(len(ends)) as readers:
        texts = [readers.submit(_read, read) for read, _ in ends]
        try:
            stdout, stderr = (text.result(timeout) for text in texts)
            if not select.select([server], [], [], timeout)[0]:
                raise TimeoutError
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(command, timeout) from None
        finally:
            status = int(server.recv(LARGEST))
    return subprocess.CompletedProcess(command, status, stdout, stderr)


def with_one_worker(words):
    """Return a command with one worker, unless it says how many: most tests are not about more.

    What is found does not depend on it (a test says so), and half the processes are started.
    """
    return (
        [*words, "--workers", "1"] if words[:1] == ["run"] and "--workers" not in words else words
    )


def can_run(env):
    """Say whether an environment differs in nothing that an interpreter reads when it starts."""
    return _read_at_the_start(env) == _read_at_the_start(ENVIRONMENT)


def _read_at_the_start(env):
    names = [name for name in env if name.startswith(AT_THE_START) and name != NO_BYTECODE]
    return {name: env[name] for name in names}


def _read(end):
    with open(end) as file:
        return file.read()


def end():
    """End the warm process, if there is one."""
    if _started.cache_info().currsize:
        server, process = _started()
        server.close()
        process.communicate()


@cache
def _started():
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            env=ENVIRONMENT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,  # of the kind that the commands get
            stderr=subprocess.STDOUT,
        )
    assert ours.recv(LARGEST), process.communicate()
    return ours, process


def serve(client):
    """Fork for each request and tell how it ended; return in the forked process alone."""
    client.send(b"ready")
    while True:
        request, ends, _, _ = socket.recv_fds(client, LARGEST, 2)
        if not request:
            sys.exit()  # whoever asked has gone
        pid = os.fork()
        if pid == 0:
            client.close()
            return json.loads(request), ends
        for end in ends:
            os.close(end)
        client.send(str(pid).encode())
        client.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def become(command, folder, env, ends):
    """Make this process what a new one would be."""
    for number, end in enumerate(ends, start=1):
        os.dup2(end, number)
        os.close(end)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.dont_write_bytecode = bool(env.get(NO_BYTECODE))
    sys.path[0] = os.getcwd()
    sys.argv[1:] = command
    random.seed()


if __name__ == "__main__":
    import gc

    import rich.console  # noqa: F401

    import annotest.cli.live
    import annotest.cli.main
    import annotest.cli.replaying
    import annotest.engine.child.doing
    import annotest.engine.child.explaining  # noqa: F401
    from annotest.engine.child.rounds import draw_a_little
    from annotest.engine.worker.environment import set_up_hypothesis

    set_up_hypothesis()
    draw_a_little()  # for which Hypothesis reads the source of all these modules
    gc.freeze()
    (command, folder, env), ends = serve(socket.socket(fileno=int(sys.argv[1])))
    become(command, folder, env, ends)
    runpy.run_module("annotest", run_name="__main__", alter_sys=True)
