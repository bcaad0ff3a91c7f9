"""Records behave as frozen dataclasses do."""

import dataclasses
import inspect
import pickle
from dataclasses import dataclass, field

import pytest

from annotest.records import record


@record
class Pair:
    left: int
    right: str = "r"
    note: str = field(default="", compare=False, repr=False)


@record
class Single:
    only: object


@record
class Empty:
    pass


@record
class Wider(Pair):
    more: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return "a wider one"


@dataclass(frozen=True)
class Plain:
    left: int
    right: str = "r"
    note: str = field(default="", compare=False, repr=False)


def test_equal_where_all_compared_fields_are():
    assert Pair(1, note="a") == Pair(1, note="b")
    assert Pair(1) != Pair(2) and Pair(1) != Pair(1, "s")
    assert Single(1) == Single(1) and Single(1) != Single(2)
    assert Empty() == Empty() and Wider(1, more=(2,)) != Wider(1)


def test_never_equal_to_what_is_of_another_class():
    assert Pair(1) != Wider(1) and Wider(1) != Pair(1)
    assert Pair(1) != (1, "r") and Single((1,)) != (1,) and Empty() != Single(Empty)


def test_hashed_by_the_fields_that_are_compared():
    assert len({Pair(1), Pair(1, note="b"), Pair(2), Single(1), Single(1), Empty(), Empty()}) == 4
    with pytest.raises(TypeError):
        hash(Single([]))


def test_shown_as_dataclasses_are():
    assert repr(Pair(1, note="n")) == repr(Plain(1, note="n")).replace("Plain", "Pair")
    assert repr(Empty()) == "Empty()"


def test_what_a_class_writes_itself_is_kept():
    assert repr(Wider(1)) == "a wider one"


def test_it_is_a_dataclass_and_can_be_copied():
    assert dataclasses.replace(Pair(1), left=3) == Pair(3)
    assert pickle.loads(pickle.dumps(Wider(1, more=(2,)))) == Wider(1, more=(2,))
    match Pair(4, "x"):
        case Pair(left, right):
            assert (left, right) == (4, "x")


@record
class Checked:
    sizes: list[int] = field(default_factory=list)
    total: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        if self.total < 0:
            raise ValueError("below 0")


def test_it_is_made_as_a_dataclass_is():
    assert Checked().sizes is not Checked().sizes
    assert Checked([1], total=2).total == 2
    with pytest.raises(ValueError, match="below 0"):
        Checked(total=-1)
    with pytest.raises(TypeError, match=r"Pair.__init__\(\) missing 1 required .* 'left'"):
        Pair()
    assert str(inspect.signature(Wider)) == (
        "(left: int, right: str = 'r', note: str = '', more: tuple[int, ...] = ()) -> None"
    )


@record
class Never:
    left: int


def test_init_is_compiled_for_the_first_instance():
    assert not inspect.isfunction(vars(Never)["__init__"])
    assert Never(3).left == 3
    assert inspect.isfunction(vars(Never)["__init__"])
