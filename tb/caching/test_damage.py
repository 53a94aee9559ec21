"""Checks that damaged or foreign entries are noticed before anything is read, and rebuilt."""

import json
import shutil

import pytest

from caching import notes
from caching.entries import build_once, find_entry
from caching.seal import SEAL, fault, seal
from tb.caching.damage import FILE_DAMAGES, delete


def build(directory):
    (directory / "inside").mkdir()
    (directory / "inside" / "data").write_bytes(b"0123456789")
    (directory / "about").write_text("all of it")


def contents(entry):
    """Returns the text of each file except the seal."""
    files = (path for path in entry.rglob("*") if path.is_file() and path.name != SEAL)
    return {path.relative_to(entry).as_posix(): path.read_text() for path in files}


SOUND = {"inside/data": "0123456789", "about": "all of it"}


def check_made_again(folder, capsys, reason):
    """Checks that the entry is rebuilt, with a line for the reason, and without leftovers."""
    assert find_entry(folder, "key") is None
    entry = build_once(folder, "key", build)
    assert capsys.readouterr().err == f"sluice: {entry}: {reason}: made again\n"
    assert contents(entry) == SOUND
    assert build_once(folder, "key", lambda directory: pytest.fail("made twice")) == entry
    assert [path.name for path in folder.iterdir()] == ["key"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("file", ["inside/data", SEAL])
@pytest.mark.parametrize("damage", FILE_DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_file(tmp_path, capsys, damage, file):
    folder = tmp_path / "cache"
    damage(build_once(folder, "key", build) / file, tmp_path / "elsewhere")
    state = "missing" if damage is delete else "damaged"
    reason = f"{file} is {state}"
    if file == SEAL:
        plain = damage.__name__ in ("truncate", "empty", "flip_bit")
        reason = "its seal is damaged, or is not yours" if plain else "it has no seal"
    check_made_again(folder, capsys, reason)


def test_a_file_too_many(tmp_path, capsys):
    entry = build_once(tmp_path, "key", build)
    (entry / "inside" / "first.h.gch").write_text("a compiler would take it")
    check_made_again(tmp_path, capsys, "inside/first.h.gch does not belong to it")


def test_a_file_of_the_name_of_the_seal_in_a_folder(tmp_path, capsys):
    entry = build_once(tmp_path, "key", build)
    (entry / "inside" / SEAL).write_text("not the seal of the entry")
    check_made_again(tmp_path, capsys, f"inside/{SEAL} does not belong to it")


def test_a_folder_that_is_a_link(tmp_path, capsys):
    folder = tmp_path / "cache"
    entry = build_once(folder, "key", build)
    (entry / "inside").rename(tmp_path / "elsewhere")
    (entry / "inside").symlink_to(tmp_path / "elsewhere")
    check_made_again(folder, capsys, "inside/data is missing")
    assert (tmp_path / "elsewhere" / "data").exists()


def test_an_entry_under_the_name_of_another(tmp_path, capsys):
    other = build_once(tmp_path, "other", lambda directory: (directory / "about").write_text("?"))
    shutil.rmtree(build_once(tmp_path, "key", build))
    other.rename(tmp_path / "key")
    check_made_again(tmp_path, capsys, "its seal is damaged, or is not yours")


@pytest.mark.parametrize("kind", ["file", "link"])
def test_no_directory(tmp_path, capsys, kind):
    folder = tmp_path / "cache"
    entry = build_once(folder, "key", build)
    entry.rename(tmp_path / "elsewhere")
    if kind == "file":
        entry.write_text("")
    else:
        entry.symlink_to(tmp_path / "elsewhere")
    check_made_again(folder, capsys, "it is no directory")
    assert contents(tmp_path / "elsewhere") == SOUND


def test_an_entry_that_another_user_has_sealed(tmp_path, capsys, monkeypatch):
    """The seal of another user's entry fits the files, but has another key."""
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    folder = tmp_path / "cache"
    entry = build_once(folder, "key", lambda directory: (directory / "about").write_text("evil"))
    assert fault(entry, "key") is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    check_made_again(folder, capsys, "its seal is damaged, or is not yours")


def test_an_entry_that_was_sealed_without_a_key(tmp_path, capsys):
    """Correct hashes with an old signature are no valid seal."""
    entry = build_once(tmp_path, "key", build)
    (entry / "about").write_text("evil")
    old_signature = (entry / SEAL).read_bytes().partition(b"\n")[0]
    seal(entry, "key")  # only for the hashes of the changed files
    hashes = (entry / SEAL).read_bytes().partition(b"\n")[2]
    assert "about" in json.loads(hashes)
    (entry / SEAL).write_bytes(old_signature + b"\n" + hashes)
    check_made_again(tmp_path, capsys, "its seal is damaged, or is not yours")


@pytest.mark.parametrize("target", ["/etc/hostname", "/etc", "nowhere"])
def test_a_link_cannot_be_sealed(tmp_path, target):
    """The link leads to a file, to a folder, or nowhere."""

    def link(directory):
        (directory / "link").symlink_to(target)

    with pytest.raises(ValueError, match="plain files, and link is none"):
        build_once(tmp_path, "key", link)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["/etc/hostname", "/etc", "nowhere"])
def test_a_link_too_many(tmp_path, capsys, target):
    entry = build_once(tmp_path, "key", build)
    (entry / "inside" / "link").symlink_to(target)
    check_made_again(tmp_path, capsys, "inside/link does not belong to it")


def test_a_line_while_standard_error_is_muted(tmp_path, capsys):
    entry = build_once(tmp_path, "key", build)
    (entry / "about").unlink()
    with open(tmp_path / "voice", "w") as voice, notes.printed_to(voice):
        build_once(tmp_path, "key", build)
    assert (tmp_path / "voice").read_text().endswith("about is missing: made again\n")
    assert capsys.readouterr().err == ""
