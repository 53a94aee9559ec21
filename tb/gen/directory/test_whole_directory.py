"""Checks that a directory is written whole or not at all, and loses no foreign file."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from gen.directory import whole_directory as module
from gen.directory.manifest import MANIFEST, sealed
from gen.directory.whole_directory import write_directory
from query.errors import UserError
from tb import permissions


def design(**files):
    """Files with their manifest; ``__`` in a name stands for a folder's slash."""
    named = {name.replace("__", "/"): text for name, text in files.items()}
    digests = {path: sha256(text) for path, text in named.items()}
    return named | {MANIFEST: sealed({"name": "x", "files": digests})}


def sha256(text):
    run_process = subprocess.run(
        ["sha256sum"], input=text.encode(), capture_output=True, check=True
    )
    return run_process.stdout.decode().split()[0]


def tree(root):
    """Everything below a directory: contents of files, None of folders, targets of links."""
    result = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        link, folder = path.is_symlink(), path.is_dir()
        result[name] = os.readlink(path) if link else None if folder else path.read_bytes()
    return result


@pytest.fixture
def directory(tmp_path):
    """Creates a directory with a design of three files, and a file of the user."""
    path = tmp_path / "made"
    write_directory(path, design(a="1", b__c="2", b__d="3"))
    (path / "mine.txt").write_text("mine")
    return path


def refused(directory, files, place, why):
    """Checks that writing ``files`` fails with ``place`` and ``why``, and changes no file."""
    earlier = tree(directory.parent)
    with pytest.raises(UserError) as caught:
        write_directory(directory, files)
    assert str(caught.value).startswith(f"{directory / place}: is in the way: ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert tree(directory.parent) == earlier


def test_the_old_design_goes(directory):
    new = design(a="4", e__f="5")
    write_directory(directory, new)
    expected = {path: text.encode() for path, text in new.items()}
    assert tree(directory) == expected | {"e": None, "mine.txt": b"mine"}
    assert [path.name for path in directory.parent.iterdir()] == ["made"]


def test_everybody_can_read_a_new_directory(directory):
    """The directory is written under a temporary name that only its user can read, and renamed."""
    assert directory.stat().st_mode & 0o777 == 0o755


def test_a_new_directory_has_the_mode_that_the_user_chose(tmp_path):
    old_mask = os.umask(0o077)
    try:
        write_directory(tmp_path / "made", design(b__c="1"))
    finally:
        os.umask(old_mask)
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o700


def test_a_folder_keeps_what_is_not_ours(directory):
    (directory / "b" / "log").write_text("of a tool")
    write_directory(directory, design(a="4"))
    assert (directory / "b" / "log").read_text() == "of a tool"
    assert sorted(path.name for path in (directory / "b").iterdir()) == ["log"]


def test_the_same_again_changes_nothing(directory):
    earlier = tree(directory)
    write_directory(directory, design(a="1", b__c="2", b__d="3"))
    assert tree(directory) == earlier


def test_a_file_in_the_place_of_a_folder_and_the_other_way_round(directory):
    write_directory(directory, design(b="1", a__x="2"))
    assert (directory / "b").read_text() == "1"
    assert (directory / "a" / "x").read_text() == "2"
    write_directory(directory, design(a="1", b__c="2"))
    assert sorted(tree(directory)) == ["a", "b", "b/c", MANIFEST, "mine.txt"]


def test_what_was_changed_is_in_the_way(directory):
    (directory / "b" / "d").write_text("changed")
    refused(directory, design(a="1"), "b/d", "changed since")


def test_a_foreign_file_is_in_the_way(directory):
    refused(directory, design(**{"mine.txt": "ours"}), "mine.txt", "another program made it")
    refused(directory, design(**{"mine.txt/a": "ours"}), "mine.txt", "no directory")


def test_a_foreign_folder_is_in_the_way(directory):
    (directory / "e" / "f").mkdir(parents=True)
    (directory / "e" / "g").write_text("")
    refused(directory, design(e="1"), "e", "it is a directory")
    (directory / "a").unlink()
    (directory / "a").mkdir()
    refused(directory, design(a="1"), "a", "it is a directory")


@pytest.mark.parametrize("folder", ["new/README.md", "b/empty"])
def test_an_empty_foreign_folder_is_in_the_way(directory, folder):
    """No file is below the folder, but a file cannot be renamed to it."""
    (directory / folder).mkdir(parents=True)
    place = "new/README.md" if folder.startswith("new") else "b"
    refused(directory, design(**{place: "1"}), place, "it is a directory")


@pytest.mark.parametrize("place", ["a", "z"])
def test_a_pipe_is_in_the_way(directory, place):
    """The pipe replaces a file of the design, or is at the path of a new file; nobody reads it."""
    (directory / place).unlink(missing_ok=True)
    os.mkfifo(directory / place)
    with pytest.raises(UserError, match=f"/{place}: is in the way: it is no regular file"):
        write_directory(directory, design(a="1", z="2"))
    assert (directory / place).is_fifo()
    assert (directory / "b" / "c").read_text() == "2"


@pytest.mark.parametrize("text", ["{}", "[]", "not json", '{"files": {"mine.txt": "0"}}'])
def test_a_foreign_manifest_is_in_the_way(directory, text):
    """An edited manifest counts as foreign too, since it no longer lists the design's files."""
    (directory / MANIFEST).write_text(text)
    refused(directory, design(z="1"), MANIFEST, "another program made it")
    edited = json.loads(sealed({"files": {"mine.txt": sha256("mine")}})) | {"name": "edited"}
    (directory / MANIFEST).write_text(json.dumps(edited, indent=2) + "\n")
    refused(directory, design(z="1"), MANIFEST, "another program made it")


def test_a_folder_in_the_place_of_the_manifest_is_named(directory):
    (directory / MANIFEST).unlink()
    (directory / MANIFEST).mkdir()
    refused(directory, design(z="1"), MANIFEST, "it is a directory")


def test_a_manifest_reaches_no_further_than_its_directory(directory):
    outer = directory.parent / "outside"
    outer.write_text("1")
    for path in ("../outside", str(outer)):
        (directory / MANIFEST).write_text(sealed({"files": {path: sha256("1")}}))
        refused(directory, design(z="1"), MANIFEST, "another program made it")


@pytest.mark.parametrize("place", ["a", "b", "b/c"])
def test_links_are_in_the_way(directory, place):
    """The link replaces a file, a folder above a file, or a file that does not exist yet."""
    elsewhere = directory.parent / "elsewhere"
    (directory / place).rename(elsewhere)
    (directory / place).symlink_to(elsewhere)
    refused(directory, design(a="1", b__c="2", b__d="3"), place, "symbolic link")
    (directory / "new").symlink_to(directory.parent / "nowhere")
    (directory / place).unlink()
    elsewhere.rename(directory / place)
    refused(directory, design(new="1"), "new", "symbolic link")


def test_a_link_to_a_directory_is_that_directory(directory):
    link = directory.parent / "link"
    link.symlink_to(directory)
    write_directory(link, design(a="4"))
    assert link.is_symlink()
    assert (directory / "a").read_text() == "4"
    circle = directory.parent / "circle"
    circle.symlink_to(circle)
    with pytest.raises(UserError, match="cannot be written"):
        write_directory(circle, design(a="4"))


def test_nothing_is_left_of_a_new_directory(tmp_path):
    (tmp_path / "file").write_text("")
    for name in ("file", "file/made"):
        with pytest.raises(UserError, match="cannot be written"):
            write_directory(tmp_path / name, {"a": "1"})
    with pytest.raises(TypeError):
        write_directory(tmp_path / "made", {"a": "1", "b": None})
    with pytest.raises(UserError, match="cannot be written"):
        write_directory(tmp_path / "x" / "y", {"n" * 300: "1"})
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


class Failing:
    """Replaces ``os.rename``; the call ``at`` fails."""

    def __init__(self, at, error):
        self.countdown, self.error, self.rename = at, error, os.rename

    def __call__(self, source, target):
        self.countdown -= 1
        if self.countdown == 0:
            raise self.error
        self.rename(source, target)


@pytest.mark.parametrize("error", [OSError(13, "Permission denied"), KeyboardInterrupt()])
def test_an_error_in_the_middle_is_undone(directory, monkeypatch, error):
    """The error comes at each rename: four move old files away, three move new files in."""
    earlier = tree(directory.parent)
    for at in range(1, 8):
        monkeypatch.setattr(module.os, "rename", Failing(at, error))
        with pytest.raises((UserError, KeyboardInterrupt)):
            write_directory(directory, design(a__x="4", e="5"))
        assert tree(directory.parent) == earlier
    monkeypatch.setattr(module.os, "rename", Failing(8, error))
    write_directory(directory, design(a__x="4", e="5"))
    assert sorted(tree(directory)) == ["a", "a/x", "e", MANIFEST, "mine.txt"]


@pytest.mark.in_turn
@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_waits(directory, number, is_new, request):
    """The signal comes at the first rename, and ends the process when all files are in place."""
    if is_new:
        shutil.rmtree(directory)
    program = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored behind a shell's &\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored behind nohup\n"
        "from gen.directory import whole_directory as directory\n"
        "from tb.gen.directory.test_whole_directory import design\n"
        "rename = os.rename\n"
        "def renamed(*paths):\n"
        f"    os.kill(os.getpid(), {int(number)}); rename(*paths)\n"
        "directory.os.rename = renamed\n"
        "directory.write_directory(sys.argv[1], design(a='4', e='5'))\n"
        "print('not reached')\n"
    )
    command = [sys.executable, "-c", program, str(directory)]
    root = request.config.rootpath
    run_process = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert run_process.returncode == -number
    assert "not reached" not in run_process.stdout
    assert sorted(tree(directory)) == ["a", "e", MANIFEST, *([] if is_new else ["mine.txt"])]
    assert [path.name for path in directory.parent.iterdir()] == ["made"]


@pytest.mark.in_turn
def test_two_at_the_same_time(tmp_path, request):
    """Two processes write different designs repeatedly: finally the files are of one design."""
    program = (
        "import sys; from gen.directory.whole_directory import write_directory\n"
        "from tb.gen.directory.test_whole_directory import design\n"
        "files = design(**{f'{sys.argv[2]}__{k}': str(k) for k in range(20)})\n"
        "for _ in range(30): write_directory(sys.argv[1], files)\n"
    )
    commands = [
        [sys.executable, "-c", program, str(tmp_path / "made"), name] for name in ("one", "two")
    ]
    root = request.config.rootpath
    running = [subprocess.Popen(c, cwd=root, stderr=subprocess.PIPE) for c in commands]
    assert [process.communicate()[1] for process in running] == [b"", b""]
    result = tree(tmp_path / "made")
    (name,) = {"one", "two"} & set(result)
    assert sorted(result) == sorted([name, MANIFEST, *(f"{name}/{k}" for k in range(20))])
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_another_was_there_first(tmp_path, monkeypatch):
    """Another process makes the directory during a write: the written files replace the others."""
    created, write = tmp_path / "made", module._write

    def late(place, contents):
        monkeypatch.setattr(module, "_write", write)
        write_directory(created, design(b="2"))
        write(place, contents)

    monkeypatch.setattr(module, "_write", late)
    write_directory(created, design(a="1"))
    assert sorted(tree(created)) == ["a", MANIFEST]


def test_a_directory_that_is_read_only(directory):
    earlier = tree(directory)
    for place in (directory, directory / "b"):
        place.chmod(0o555)
        refused = pytest.raises(UserError, match="cannot be written: Permission denied")
        with permissions.obeyed(), refused:
            write_directory(directory, design(a="4"))
        place.chmod(0o755)
        assert tree(directory) == earlier
