"""Text."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._checking import checked_lengths
from annotest.constraints._structure import Repeated
from annotest.expr import Expr, ours, st
from annotest.source import shown

LONGEST = 20
FIRST_PRINTABLE, LAST_PRINTABLE = " ", "~"


_ANY_TEXT = "(?s:.*)"


@dataclass(frozen=True, eq=False, repr=False)
class Strs(Constraint, name="strs"):
    """Text of 0 to 20 printable ASCII characters, or of an alphabet or a regular expression."""

    kind: ClassVar[type | None] = str

    _: KW_ONLY
    alphabet: str | None = None
    min_len: int = 0
    max_len: int | None = None
    pattern: str | None = None

    open_ends: ClassVar[Mapping[str, Any]] = {"max_len": sys.maxsize}

    def __post_init__(self) -> None:
        if self.alphabet is not None and (not isinstance(self.alphabet, str) or not self.alphabet):
            raise self.refuse(
                f"has a wrong alphabet: expected characters, got {shown(self.alphabet)}",
                "give the characters as text, such as alphabet='abc'",
            )
        checked_lengths(self, self.min_len, self.max_len, ("min_len", "max_len"))
        if self.pattern is not None:
            try:
                if not isinstance(self.pattern, str):
                    raise TypeError("not text")
                re.compile(self.pattern)
            except (re.error, TypeError) as error:
                raise self.refuse(
                    f"has a wrong pattern: {error}", "give a regular expression as text"
                ) from None

    @property
    def lengths(self) -> tuple[int, int]:
        """The shortest and the longest length."""
        if self.max_len is not None:
            return self.min_len, self.max_len
        return self.min_len, max(LONGEST, self.min_len + LONGEST * (self.min_len > 0))

    @cached_property
    def structure(self) -> Repeated:
        return Repeated(str, self.lengths)

    def beyond(self) -> Iterator[Constraint]:
        if self.min_len and self.pattern is None:
            yield Strs(alphabet=self.alphabet, max_len=0)

    def as_result(self) -> Constraint:
        if self.alphabet is None and self.pattern is None:
            return dataclasses.replace(self, pattern=_ANY_TEXT)
        return super().as_result()

    def of_length(self, length: int) -> Constraint | None:
        if self.pattern is not None:
            return None  # which texts there are, it alone says
        return dataclasses.replace(self, min_len=length, max_len=length)

    def strategy(self) -> Expr:
        low, high = self.lengths
        if self.pattern is not None:
            bounds = {"min_len": low, "max_len": self.max_len, "alphabet": self.alphabet}
            given = {name: value for name, value in bounds.items() if value}
            if not given:
                return st.from_regex(self.pattern, fullmatch=True)
            return ours.matching_text(self.pattern, **given)
        letters: Any = self.alphabet
        if letters is None:
            letters = st.characters(
                min_codepoint=ord(FIRST_PRINTABLE), max_codepoint=ord(LAST_PRINTABLE)
            )
        return st.text(letters, min_size=low, max_size=high)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, str):
            yield Mismatch(at, "text", value)
            return
        low, high = self.lengths
        if len(value) < low:
            yield Mismatch(f"len({at})", f"at least {low}", len(value))
        if len(value) > high and (self.pattern is None or self.max_len is not None):
            yield Mismatch(f"len({at})", f"at most {high}", len(value))
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            yield Mismatch(at, f"text matching {self.pattern!r}", value)
        for place, letter in enumerate(value):
            if self.alphabet is not None and letter not in self.alphabet:
                yield Mismatch(f"{at}[{place}]", f"one of {self.alphabet!r}", letter)
            elif self._unprintable(letter):
                yield Mismatch(f"{at}[{place}]", "a printable character", letter)

    def _unprintable(self, letter: str) -> bool:
        plain = self.alphabet is None and self.pattern is None
        return plain and not FIRST_PRINTABLE <= letter <= LAST_PRINTABLE
