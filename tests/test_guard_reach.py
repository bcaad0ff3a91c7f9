"""The guard on what reaches further than files: the network and programs."""

import _posixsubprocess
import asyncio
import errno
import os
import pty
import socket
import subprocess
import tempfile
import time
import urllib.request
from multiprocessing import get_context

import pytest
from guarded import new_ground, temporary_in


@pytest.fixture
def ground(tmp_path):
    return new_ground(tmp_path)


@pytest.fixture
def short():
    """Return a folder with a short path: a socket's has 107 bytes at most."""
    with tempfile.TemporaryDirectory() as folder:
        yield folder


# the network

REMOTE = ("192.0.2.1", 80)  # reserved for documentation: nobody answers


def connect(address, family=socket.AF_INET):
    with socket.socket(family) as made:
        made.settimeout(5)
        made.connect(address)


def send(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"x", address)


REACHING = {
    "connect": (lambda: connect(REMOTE), "connect to 192.0.2.1:80"),
    "connect 6": (
        lambda: connect(("2001:db8::1", 80), socket.AF_INET6),
        "connect to 2001:db8::1:80",
    ),
    "connect_ex": (lambda: socket.socket().connect_ex(REMOTE), "connect to 192.0.2.1:80"),
    "create": (lambda: socket.create_connection(REMOTE, 5), "connect to 192.0.2.1:80"),
    "send": (lambda: send(REMOTE), "connect to 192.0.2.1:80"),
    "getaddrinfo": (lambda: socket.getaddrinfo("example.com", 80), "look up example.com"),
    "bytes": (lambda: socket.getaddrinfo(b"example.com", 80), "look up example.com"),
    "gethostbyname": (lambda: socket.gethostbyname("example.com"), "look up example.com"),
    "mapped": (
        lambda: connect(("::ffff:192.0.2.1", 80), socket.AF_INET6),
        "connect to ::ffff:192.0.2.1:80",
    ),
}


@pytest.mark.parametrize("name", REACHING)
def test_the_network_is_blocked_at_once(ground, name):
    act, told = REACHING[name]
    began = time.monotonic()
    seen = ground.run(lambda log: act())
    assert (seen.error, [str(blocked_act) for blocked_act in seen.blocked]) == (
        "BlockedByGuard",
        [told],
    )
    assert seen.blocked[0].allow == 'allow = ["network"]'
    assert time.monotonic() - began < 2


def test_a_blocked_download_is_explained(ground):
    seen = ground.run(lambda log: urllib.request.urlopen("http://example.com/x"))
    assert (seen.error, str(seen.explained)) == ("URLError", "look up example.com")


def test_the_network_may_be_allowed(ground):
    def act(log):
        made = socket.socket()
        made.setblocking(False)
        return made.connect_ex(REMOTE)

    seen = ground.run(act, network=True)
    assert (seen.error, seen.blocked) == ("", ())
    assert seen.value in (errno.EINPROGRESS, errno.ENETUNREACH)


LOCAL = {
    "127.0.0.1": socket.AF_INET,
    "localhost": socket.AF_INET,
    "127.1.2.3": socket.AF_INET,
    "0.0.0.0": socket.AF_INET,
    "": socket.AF_INET,
    "::1": socket.AF_INET6,
    "::ffff:127.0.0.1": socket.AF_INET6,
}


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
@pytest.mark.parametrize("host", LOCAL)
def test_a_server_on_this_machine_is_reached(ground, host, kernel):
    family = LOCAL[host]
    try:
        server = socket.create_server(
            ("::" if family == socket.AF_INET6 else "0.0.0.0", 0), family=family
        )
    except OSError:
        pytest.skip("no such address family here")
    if family == socket.AF_INET6:
        server.close()
        server = socket.create_server(("::", 0), family=family, dualstack_ipv6=True)
    with server:
        seen = ground.run(lambda log: connect((host, server.getsockname()[1]), family), kernel)
    assert (seen.error, seen.blocked) == ("", ()), seen.text


def test_looking_up_this_machine_and_numbers_is_allowed(ground):
    def act(log):
        socket.getaddrinfo("192.0.2.1", 80)
        socket.getaddrinfo(None, 80)
        socket.gethostbyname("localhost")
        socket.getfqdn()
        with socket.socket() as made:
            made.bind(("", 0))

    seen = ground.run(act)
    assert (seen.error, seen.blocked) == ("", ())


def test_a_socket_of_this_machine_is_reached(ground):
    path = str(ground.project / "server")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        seen = ground.run(lambda log: connect(path, socket.AF_UNIX), True)
    assert (seen.error, seen.blocked) == ("", ()), seen.text


# programs


def start_process(kind):
    made = get_context(kind).Process(target=print)
    made.start()
    made.join()
    assert made.exitcode == 0


async def start_program():
    await (await asyncio.create_subprocess_exec("true")).wait()


STARTING = {
    "run": lambda: subprocess.run(["true"], check=True),
    "shell": lambda: subprocess.run("sleep 0", shell=True, check=True),
    "posix_spawn by subprocess": lambda: subprocess.run(["/bin/true"], close_fds=False, check=True),
    "system": lambda: os.system("sleep 0"),
    "popen": lambda: os.popen("sleep 0").close(),
    "posix_spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "posix_spawnp": lambda: os.posix_spawnp("true", ["true"], {}),
    "spawnv": lambda: os.spawnv(os.P_WAIT, "/bin/true", ["true"]),
    "spawnlp": lambda: os.spawnlp(os.P_WAIT, "true", "true"),
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "pty": lambda: pty.spawn(["true"]),
    "asyncio": lambda: asyncio.run(start_program()),
    "spawned process": lambda: start_process("spawn"),
    "forkserver": lambda: start_process("forkserver"),
}


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
@pytest.mark.parametrize("name", STARTING)
def test_programs_are_blocked(ground, short, name, kernel):
    act = lambda log: STARTING[name]()  # noqa: E731
    seen = ground.run(act, kernel, temporary_in(short), folders=[short])
    assert (seen.error, seen.actions) == ("BlockedByGuard", ["run"])
    assert seen.blocked[0].allow == 'allow = ["programs"]'


@pytest.mark.parametrize("name", sorted(STARTING.keys() - {"exec", "pty"}))
def test_programs_may_be_allowed(ground, short, name):
    act = lambda log: STARTING[name]() and None  # noqa: E731
    seen = ground.run(act, True, temporary_in(short), folders=[short], programs=True)
    assert (seen.error, seen.blocked) == ("", ()), seen.text


@pytest.mark.parametrize("start", [_posixsubprocess.fork_exec, os._spawnvef])
def test_a_start_that_makes_no_sense_fails_as_it_would_without_the_guard(ground, start):
    module = _posixsubprocess if start.__name__ == "fork_exec" else os
    seen = ground.run(lambda log: getattr(module, start.__name__)())
    assert (seen.error, seen.blocked) == ("TypeError", ())


def test_an_allowed_program_is_held_by_the_kernel(ground):
    target = ground.project / "keep.txt"
    act = lambda log: subprocess.run(["rm", str(target)], stderr=subprocess.DEVNULL).returncode  # noqa: E731
    assert ground.run(act, True, programs=True).value == 1
    assert target.exists()
