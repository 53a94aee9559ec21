"""Checks the default folder of the cache, and the refusal of folders that are not private."""

import os
from pathlib import Path

import pytest

from caching import place
from caching.entries import build_once, find_entry
from query.errors import UserError
from tb import permissions


def test_the_default_folder(home, monkeypatch, tmp_path):
    monkeypatch.delenv(place.VARIABLE)
    assert place.default_folder() == home / "sluice"
    for relative in ("", "not/absolute"):
        monkeypatch.setenv("XDG_CACHE_HOME", relative)
        assert place.default_folder() == Path.home() / ".cache" / "sluice"
    monkeypatch.setenv(place.VARIABLE, str(tmp_path))
    assert place.default_folder() == tmp_path
    assert place.user_folder() == Path.home() / ".cache" / "sluice"
    for home_folder in ("relative", ""):
        monkeypatch.setenv("HOME", home_folder)
        with pytest.raises(UserError, match=r"^there is no home directory: set XDG_CACHE_HOME"):
            place.user_folder()


def test_folders_are_made_for_this_user_alone(tmp_path):
    umask = os.umask(0o002)
    try:
        build_once(tmp_path / "a" / "b", "key", lambda directory: None)
    finally:
        os.umask(umask)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700] * 2


def unreachable(directory):
    pytest.fail("nothing is made there")


#: Functions that must refuse a folder in which others could put programs.
CHECKS = (
    place.check_usable,
    lambda folder: build_once(folder, "key", unreachable),
    lambda folder: find_entry(folder, "key"),
)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user(tmp_path):
    os.chown(tmp_path, 4321, 4321)
    message = "belongs to user number 4321, who could put programs there: name a folder of yours"
    for check in CHECKS:
        with pytest.raises(UserError, match=message):
            check(tmp_path)


@pytest.mark.parametrize("mode", [0o777, 0o722, 0o702, 0o770])
def test_a_folder_that_others_can_write(tmp_path, mode):
    (tmp_path / "key").mkdir()
    tmp_path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(tmp_path, -1, 4321)
    elif mode == 0o770:
        pytest.skip("the folder's group may be the user's own")
    for check in CHECKS:
        with pytest.raises(UserError, match=r"by other users, .*: run chmod go-w on it, or name"):
            check(tmp_path)


def test_a_sticky_folder_such_as_tmp(tmp_path):
    """In a sticky folder other users cannot replace the files of this user."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    place.check_usable(shared)
    for folder in (shared, shared / "golden"):
        assert build_once(folder, "key", lambda directory: None).is_dir()


def test_the_group_of_this_user_alone(tmp_path, monkeypatch):
    """Checks mode 775 in distributions where each user has a group of his own."""
    user, group = ("me", "x", os.geteuid(), 77), ("me", "x", 77, ["me"])
    monkeypatch.setattr(place.pwd, "getpwuid", lambda number: place.pwd.struct_passwd(
        (*user, "", "/", "/bin/sh")
    ))  # fmt: skip
    monkeypatch.setattr(place.grp, "getgrgid", lambda number: place.grp.struct_group(group))
    tmp_path.chmod(0o775)
    place.check_private(tmp_path)
    group[3].append("you")
    with pytest.raises(UserError, match="can be written by other users"):
        place.check_private(tmp_path)


@pytest.mark.parametrize("name", ["file/folder", "x" * 300])
def test_a_path_that_no_folder_can_have(tmp_path, name):
    """The library takes the folder from SLUICE_CACHE without the checks of the command line."""
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"cannot be used: .*; name another folder with --cache"):
        place.check_private(tmp_path / name)


def test_links_that_lead_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        place.check_usable(tmp_path / "a")


def test_a_folder_that_cannot_be_made(tmp_path):
    with pytest.raises(UserError, match="/proc cannot be written: No such file or directory"):
        place.check_usable("/proc/x")
    tmp_path.chmod(0o500)
    with permissions.obeyed(), pytest.raises(UserError, match="be written: Permission denied"):
        place.check_usable(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_can_only_be_read(tmp_path):
    """Checks that a read-only folder serves sound entries.

    A missing entry and a damaged entry are refused before any work.
    """
    folder = tmp_path / "cache"
    entry = build_once(folder, "key", lambda directory: (directory / "a").write_text("b"))
    folder.chmod(0o500)
    with permissions.obeyed():
        place.check_usable(folder)
        assert build_once(folder, "key", unreachable) == entry
        message = "not in the cache yet, and it cannot be written: Permission denied; name another"
        with pytest.raises(UserError, match=message):
            build_once(folder, "other", unreachable)
    folder.chmod(0o700)
    (entry / "a").write_text("c")
    folder.chmod(0o500)
    with permissions.obeyed(), pytest.raises(UserError, match="Permission denied; name another"):
        build_once(folder, "key", unreachable)


def test_an_empty_folder_that_can_only_be_read(tmp_path):
    tmp_path.chmod(0o500)
    with permissions.obeyed(), pytest.raises(UserError, match="be written: Permission denied"):
        place.check_usable(tmp_path)
