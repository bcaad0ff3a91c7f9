"""Judges of network events: connections that leave this machine."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from socket import AF_INET, AF_INET6, gethostname, inet_pton
from typing import Any

from annotest.guard.data import Judge

globals()["__builtins__"] = vars(builtins).copy()

_LOCAL_NAMES = ("", "localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback")
_NOWHERE4, _NOWHERE6 = bytes(4), bytes(16)  # 0.0.0.0 and ::, which Linux takes for this machine
_LOOPBACK6 = bytes(15) + b"\1"
_MAPPED = bytes(10) + b"\xff\xff"


class NetworkJudges:
    """Block connections and lookups, those within this machine excepted.

    Binding to an address reaches nobody, and is how programs look for a free port: it is let
    through.
    """

    def __init__(self, block: Callable[[str, str], None]) -> None:
        self._block = block
        self._local = frozenset((*_LOCAL_NAMES, gethostname()))

    def by_event(self) -> dict[str, Judge]:
        """Return a judge for each event."""
        return {
            "socket.connect": self._address,
            "socket.sendto": self._address,
            "socket.sendmsg": self._address,
            "socket.getaddrinfo": self._name,
            "socket.gethostbyname": self._name,
            "socket.gethostbyaddr": self._name,
        }

    def _address(self, args: tuple[Any, ...]) -> None:
        address = args[1]
        # a path (AF_UNIX) is a str, and other families have numbers
        if isinstance(address, tuple) and isinstance(address[0], str | bytes):
            host = _text(address[0])
            if not self._is_local(host):
                self._block("connect to", f"{host}:{address[1]}")

    def _name(self, args: tuple[Any, ...]) -> None:
        host = _text(args[0]) if args[0] is not None else ""
        if not self._is_local(host) and _packed(host) is None:
            self._block("look up", host)

    def _is_local(self, host: str) -> bool:
        if host in self._local:
            return True
        packed = _packed(host.partition("%")[0])
        if packed is None:
            return False
        if packed in (_NOWHERE4, _NOWHERE6, _LOOPBACK6):
            return True
        return (
            packed.removeprefix(_MAPPED)[:1] == b"\x7f" and len(packed.removeprefix(_MAPPED)) == 4
        )


def _text(host: str | bytes) -> str:
    return host if isinstance(host, str) else host.decode("ascii", "replace")


def _packed(host: str) -> bytes | None:
    """Return a numeric address's bytes, None for a name."""
    for family in (AF_INET, AF_INET6):
        try:
            return inet_pton(family, host)
        except OSError:
            continue
    return None
