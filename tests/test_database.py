"""Failing inputs kept in the project: read back whole, whatever happens to the files or writers."""

import json
import os
import random
import socket
import subprocess
from dataclasses import asdict, replace

import pytest

from annotest.database import LARGEST_FILE, Database, Entry, database_folder

ENTRY = Entry(
    id="0123456789",
    seen_in="nets.conv:Conv.forward",
    file="nets/conv.py",
    kind="exception",
    exception_type="ValueError",
    message="bad size: '\u00e9' \U0001f600 \x00",
    call="from nets.conv import Conv\nConv(3).forward(-1)",
    inputs=(("self", "Conv(3)"), ("size", "-1")),
    location=("nets/conv.py", 17),
    choices=bytes(range(256)),
    example=None,
    recipe=b"\x80\x04recipe",
    status="failing",
    shrunk=True,
    seen="2026-01-02T03:04:05+00:00",
    timeout=1.5,
    max_memory=1 << 30,
    max_output=0,
    max_items=50,
    items_share=0.1,
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".annotest"


@pytest.fixture
def database(folder):
    return Database(str(folder))


def saved(folder, *entries):
    """Save entries; return their files."""
    database = Database(str(folder))
    for entry in entries:
        database.save(entry)
    assert database.warnings == []
    return [folder / "findings" / entry.name for entry in entries]


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


# what is written is read


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY,
        replace(ENTRY, location=None, choices=b"", example=0, recipe=b"", inputs=(), shrunk=False),
        replace(ENTRY, message="half \ud800 a pair", seen_in="m\udcff:f", call="\udfff"),
        replace(ENTRY, status="fixed", seen=""),
        Entry("ab", "m:f", "m.py", "exit", "", "", ""),
    ],
    ids=["full", "empty", "surrogates", "fixed", "defaults"],
)
def test_an_entry_is_read_as_it_was_saved(folder, entry):
    saved(folder, entry)
    database = Database(str(folder))
    assert database.all() == [entry]
    assert database.of_target(entry.seen_in) == [entry]
    assert database.find(entry.id[:4]) == [entry]
    assert database.warnings == []


def test_an_entry_of_an_earlier_version_has_no_limits(folder):
    (path,) = saved(folder, ENTRY)
    record = json.loads(path.read_text())
    limits = ("timeout", "max_memory", "max_output", "max_items", "items_share")
    for name in limits:
        del record[name]
    path.write_text(json.dumps(record))
    database = Database(str(folder))
    assert database.all() == [replace(ENTRY, **dict.fromkeys(limits))]
    assert database.warnings == []


@pytest.mark.parametrize(("exception_type", "died"), [("ValueError", False), ("", True)])
def test_an_entry_of_an_earlier_version_died_where_nothing_was_raised(folder, exception_type, died):
    entry = replace(ENTRY, exception_type=exception_type, died=died)
    (path,) = saved(folder, entry)
    record = json.loads(path.read_text())
    del record["died"]
    path.write_text(json.dumps(record))
    assert Database(str(folder)).all() == [entry]


def test_there_is_one_file_for_each_bug_and_target(folder):
    elsewhere = replace(ENTRY, seen_in="nets.conv:other")
    smaller = replace(ENTRY, call="smaller")
    saved(folder, ENTRY, elsewhere, smaller)
    assert len(Database(str(folder)).all()) == 2
    assert Database(str(folder)).of_target(ENTRY.seen_in) == [smaller]
    assert ENTRY.name == "0123456789-80dcedec.json"


def test_targets_whose_files_end_alike_are_told_apart(folder):
    one, other = (replace(ENTRY, seen_in=name) for name in ("m:f26611", "m:f74580"))
    assert one.name == other.name
    saved(folder, one)
    assert Database(str(folder)).of_target(other.seen_in) == []
    assert replace(ENTRY, seen_in="\ud800").name != replace(ENTRY, seen_in="\ud801").name


def test_the_newest_come_first_and_twenty_of_a_target_are_enough(folder):
    days = [f"2026-01-{day:02}T00:00:00+00:00" for day in range(1, 31)]
    entries = [
        replace(ENTRY, id=f"{day * 7 % 30:010x}", seen=seen) for day, seen in enumerate(days)
    ]
    shuffled = random.Random(1).sample(entries, len(entries))
    saved(folder, *shuffled, replace(ENTRY, seen_in="m:other", seen="2027"))
    database = Database(str(folder))
    assert [one.seen for one in database.of_target(ENTRY.seen_in)] == days[:9:-1]
    assert [one.seen for one in database.all()] == ["2027", *days[::-1]]


def test_entries_are_found_by_the_beginning_of_their_id(folder, database):
    for id in ("abc0", "abcd", "b000"):
        database.save(replace(ENTRY, id=id))
    assert sorted(one.id for one in database.find("abc")) == ["abc0", "abcd"]
    assert [one.id for one in database.find("ABCD")] == ["abcd"]
    assert database.find("c") == database.find("../abc") == []


def test_what_has_become_of_an_entry_is_noted(folder, database):
    database.save(ENTRY)
    database.mark(ENTRY, "fixed")
    assert database.all() == [replace(ENTRY, status="fixed")]
    with pytest.raises(ValueError, match="an entry is failing or fixed, not 'gone'"):
        database.mark(ENTRY, "gone")


def test_an_entry_can_be_removed(database):
    other = replace(ENTRY, seen_in="m:other")
    database.save(ENTRY)
    database.save(other)
    database.remove(ENTRY)
    database.remove(ENTRY)
    assert database.all() == [other]


def test_an_id_cannot_lead_out_of_the_folder(database, folder):
    with pytest.raises(ValueError, match=r"hexadecimal digits, not '\.\./\.\./x'"):
        database.save(replace(ENTRY, id="../../x"))
    assert not folder.exists()


# the folder


def test_nothing_is_made_before_the_first_entry(tmp_path):
    database = Database(database_folder(str(tmp_path)))
    assert database.all() == database.of_target("m:f") == database.find("") == []
    assert list(tmp_path.iterdir()) == []
    assert database.warnings == []


def test_the_folder_says_what_it_is_and_git_ignores_it(tmp_path):
    folder = database_folder(str(tmp_path))
    Database(folder).save(ENTRY)
    assert files_in(tmp_path / ".annotest") == [
        ".gitignore",
        "README.txt",
        f"findings/{ENTRY.name}",
    ]
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    status = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert status.stdout == ""
    assert "may be deleted at any time" in (tmp_path / ".annotest" / "README.txt").read_text()


def test_files_are_as_readable_as_others_of_the_project(folder):
    (file,) = saved(folder, ENTRY)
    ordinary = folder / "ordinary"
    ordinary.touch()
    assert file.stat().st_mode == ordinary.stat().st_mode


def test_a_gitignore_that_was_removed_stays_removed(folder):
    saved(folder, ENTRY)
    (folder / ".gitignore").unlink()
    saved(folder, ENTRY)
    assert not (folder / ".gitignore").exists()


def test_a_folder_with_other_things_in_it_is_not_hidden_from_git(tmp_path):
    (tmp_path / "program.py").touch()
    saved(tmp_path, ENTRY)
    assert files_in(tmp_path) == [f"findings/{ENTRY.name}", "program.py"]


def test_a_writer_killed_while_it_made_the_folder_is_made_up_for(folder):
    folder.mkdir()
    (folder / ".gitignore.1-00000000.partial").touch()
    saved(folder, ENTRY)
    assert (folder / ".gitignore").read_text() == "*\n"


# what cannot be written


def test_a_file_where_the_folder_should_be_costs_a_warning(folder, database):
    folder.write_text("mine")
    for _ in range(3):
        database.save(ENTRY)
        database.mark(ENTRY, "fixed")
        assert database.all() == []
    assert database.warnings == [
        f"{folder}: failing inputs cannot be kept: File exists; make it a folder that can be "
        "written, or choose another with --database"
    ]
    assert folder.read_text() == "mine"


PROC = "/proc/annotest"  # where not even root can make anything


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("file/below", "Not a directory"),
        ("loop/below", "Too many levels of symbolic links"),
        (PROC, "No such file or directory"),
        ("a" * 300, "File name too long"),
        ("null\0byte", "embedded null"),
        ("half\ud800pair", "'utf-8' codec can't encode character '\\ud800'"),
    ],
)
def test_a_place_that_cannot_be_written_costs_a_warning(tmp_path, path, why):
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    database = Database(os.path.join(tmp_path, path))
    database.save(ENTRY)
    (warning,) = database.warnings
    assert ": failing inputs cannot be kept: " in warning
    assert why in warning
    assert warning.endswith(
        "; make it a folder that can be written, or choose another with --database"
    )


def test_a_place_that_cannot_be_read_costs_a_warning(tmp_path):
    (tmp_path / "findings").touch()
    database = Database(str(tmp_path))
    assert database.all() == database.find("a") == []
    assert database.warnings == [
        f"{tmp_path}: failing inputs cannot be read: Not a directory; make it a folder that can "
        "be read, or choose another with --database"
    ]


def test_an_input_too_large_to_be_read_again_is_not_written(folder, database):
    database.save(replace(ENTRY, recipe=bytes(LARGEST_FILE)))
    assert not folder.exists()
    path = folder / "findings" / ENTRY.name
    assert database.warnings == [f"{path}: not kept: the input takes more than 5 MB when written"]


# files that are damaged, or not ours


def record(**changes):
    """Return the text of an entry with some of its values replaced, or left out."""
    values = {"format": 1, **asdict(ENTRY), "choices": "", "recipe": "", **changes}
    return json.dumps({key: value for key, value in values.items() if value is not ...}).encode()


def wrong(key):
    return f"is damaged: {key} is of the wrong type; it is left out; delete it"


DAMAGED = "is damaged; it is left out; delete it"
NOT_OURS = "is not an entry of annotest's; it is left out; delete it"
OTHER_VERSION = "is of another version of annotest (not of format 1); it is left out; delete it"
CORRUPT = {
    "empty": (b"", DAMAGED),
    "truncated": (record()[:-20], DAMAGED),
    "binary": (bytes(range(256)) * 10, DAMAGED),
    "not text": (b'{"format": 1, "id": "\xff\xfe"}', DAMAGED),
    "zeros": (bytes(4096), DAMAGED),
    "two entries": (record() * 2, DAMAGED),
    "too deep": (b"[" * 200_000, DAMAGED),
    "a number of many digits": (b"1" * 100_000, DAMAGED),
    "a list": (b"[]", NOT_OURS),
    "null": (b"null", NOT_OURS),
    "somebody else's": (b'{"name": "package"}', NOT_OURS),
    "a later format": (record(format=2), OTHER_VERSION),
    "a strange format": (record(format=["1"]), OTHER_VERSION),
    "an example before the first": (record(example=-1), wrong("example")),
    "no time": (record(timeout=-1), wrong("timeout")),
    "endless digits": (record(timeout=10**400), wrong("timeout")),
    "less than no memory": (record(max_memory=-1), wrong("max_memory")),
    "no call": (record(call=...), "is damaged: call is missing; it is left out; delete it"),
    "nothing else": (b'{"format": 1}', "is damaged: id is missing; it is left out; delete it"),
    "a message of null": (record(message=None), wrong("message")),
    "a number as id": (record(id=123456789), wrong("id")),
    "inputs as a dictionary": (record(inputs={"ab": "cd"}), wrong("inputs")),
    "inputs of three": (record(inputs=[["a", "b", "c"]]), wrong("inputs")),
    "inputs of numbers": (record(inputs=[["a", 1]]), wrong("inputs")),
    "inputs of nothing": (record(inputs=[None]), wrong("inputs")),
    "a location without line": (record(location=["a.py"]), wrong("location")),
    "a location with a text": (record(location=["a.py", "1"]), wrong("location")),
    "a location that is a number": (record(location=1), wrong("location")),
    "a line that is true": (record(location=["a.py", True]), wrong("location")),
    "choices in no base64": (record(choices="*"), wrong("choices")),
    "choices in half a base64": (record(choices="QUJ"), wrong("choices")),
    "choices with umlauts": (record(choices="ä"), wrong("choices")),
    "a recipe of numbers": (record(recipe=[1, 2]), wrong("recipe")),
    "an example that is true": (record(example=True), wrong("example")),
    "an example with a part": (record(example=1.5), wrong("example")),
    "shrunk by 1": (record(shrunk=1), wrong("shrunk")),
    "another status": (record(status="gone"), wrong("status")),
    "another kind": (record(kind="odd"), wrong("kind")),
    "a number for died": (record(died=0), wrong("died")),
    "a list as status": (record(status=["failing"]), wrong("status")),
    "huge": (
        record() + b" " * LARGEST_FILE,
        "is larger than 5 MB, as no entry is; it is left out; delete it",
    ),
    "of another name": (
        record(id="../../etc"),
        "does not have the name of what it holds ('../../etc-80dcedec.json'); it is left out; delete it",
    ),
}


@pytest.mark.parametrize("name", CORRUPT)
def test_a_damaged_file_costs_that_file_alone(folder, name):
    data, reason = CORRUPT[name]
    other = replace(ENTRY, id="aaaaaaaaaa")
    file, _ = saved(folder, ENTRY, other)
    file.write_bytes(data)
    database = Database(str(folder))
    for _ in range(2):
        assert database.all() == database.of_target(ENTRY.seen_in) == [other]
        assert database.find(ENTRY.id) == []
    assert database.warnings == [f"{file}: {reason}"]
    database.save(ENTRY)  # the next run heals it
    assert len(Database(str(folder)).all()) == 2


def test_the_undamaged_record_of_that_table_is_read(folder):
    (file,) = saved(folder, ENTRY)
    file.write_bytes(record(later="a key that a later version adds without harm"))
    assert Database(str(folder)).all() == [replace(ENTRY, choices=b"", recipe=b"")]


def test_an_id_that_could_not_be_saved_is_not_read(folder):
    saved(folder, ENTRY)
    strange = replace(ENTRY, id="strange")
    (folder / "findings" / strange.name).write_bytes(record(id="strange"))
    database = Database(str(folder))
    assert database.all() == [ENTRY]
    assert len(database.warnings) == 1


def a_socket(path):
    os.chdir(path.parent)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(path.name)


STRANGE = {
    "folder": (os.mkdir, "cannot be read: Is a directory; make it readable, or delete it"),
    "pipe": (os.mkfifo, "is not a file; it is left out; delete it"),
    "socket": (
        a_socket,
        "cannot be read: No such device or address; make it readable, or delete it",
    ),
    "loop": (
        lambda path: path.symlink_to(path),
        "cannot be read: Too many levels of symbolic links; make it readable, or delete it",
    ),
    "device": (
        lambda path: path.symlink_to("/dev/zero"),
        "is not a file; it is left out; delete it",
    ),
    "terabyte": (
        lambda path: path.touch() or os.truncate(path, 1 << 40),
        "is larger than 5 MB, as no entry is; it is left out; delete it",
    ),
    "nowhere": (lambda path: path.symlink_to("nowhere"), "leads nowhere; delete it"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_what_is_not_an_ordinary_file_costs_a_warning(folder, name, monkeypatch):
    monkeypatch.chdir(folder.parent)  # and back
    make, reason = STRANGE[name]
    other = replace(ENTRY, id="aaaaaaaaaa")
    saved(folder, other)
    file = folder / "findings" / ENTRY.name
    make(file)
    open_before = len(os.listdir("/proc/self/fd"))
    database = Database(str(folder))
    assert database.all() == [other]
    assert database.warnings == [f"{file}: {reason}"]
    assert len(os.listdir("/proc/self/fd")) == open_before


def test_a_folder_in_the_place_of_a_file_is_not_written_over(folder, database):
    (folder / "findings" / ENTRY.name).mkdir(parents=True)
    database.save(ENTRY)
    assert "failing inputs cannot be kept: Is a directory" in database.warnings[0]
    assert [one.name for one in (folder / "findings").iterdir()] == [ENTRY.name]


def test_files_of_other_targets_are_not_opened(folder):
    saved(folder, *(replace(ENTRY, seen_in=f"m:f{number}") for number in range(3)))
    for file in (folder / "findings").iterdir():
        file.write_text("damaged")
    database = Database(str(folder))
    assert database.of_target("m:f1") == []
    assert len(database.warnings) == 1
