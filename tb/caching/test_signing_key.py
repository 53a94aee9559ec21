"""Checks the user's signing key: it is made once, only its owner can read it, and a damaged key is
made anew."""

import errno
import multiprocessing
import os
import stat

import pytest

from caching import signing_key as module
from caching.signing_key import SIZE, signing_key
from query.errors import UserError
from tb import permissions


def test_made_once_and_secret(home):
    key = signing_key()
    assert len(key) == SIZE
    assert key == signing_key() == (home / "sluice" / "key").read_bytes()
    assert stat.S_IMODE((home / "sluice" / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE((home / "sluice").stat().st_mode) == 0o700
    assert [path.name for path in (home / "sluice").iterdir()] == ["key"]


def test_each_home_has_its_own(home, tmp_path, monkeypatch):
    key = signing_key()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert signing_key() != key


@pytest.mark.parametrize("size", [0, SIZE - 1, SIZE + 1])
def test_a_damaged_key_is_made_anew(home, capsys, size):
    key, path = signing_key(), home / "sluice" / "key"
    path.write_bytes(bytes(size))
    again = signing_key()
    assert len(again) == SIZE
    assert again != key
    assert capsys.readouterr().err.endswith("the key of the cache is damaged: a new one is made\n")


def test_a_folder_is_no_key(home):
    (home / "sluice" / "key").mkdir(parents=True, mode=0o700)
    with pytest.raises(UserError, match="cannot be read or made: Is a directory; set XDG_CACHE_"):
        signing_key()


def test_a_pipe_is_a_damaged_key(home, capsys):
    """Opening a pipe waits for a writer, except with O_NONBLOCK."""
    path = home / "sluice" / "key"
    path.parent.mkdir(mode=0o700)
    os.mkfifo(path, 0o600)
    assert len(signing_key()) == SIZE
    assert path.is_file()
    assert capsys.readouterr().err.endswith("the key of the cache is damaged: a new one is made\n")


def test_a_key_that_another_process_makes_meanwhile_stays(home, monkeypatch):
    """Process B makes a key after A has found none, and before A makes a key: B's key stays."""
    keys = []

    def make_twice(path):
        make(path)
        keys.append(path.read_bytes())
        make(path)

    make = module._make
    monkeypatch.setattr(module, "_make", make_twice)
    assert [signing_key()] == keys
    assert [path.name for path in (home / "sluice").iterdir()] == ["key"]


def test_a_file_system_without_links(home, monkeypatch):
    def refuse(source, target):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    assert signing_key() == (home / "sluice" / "key").read_bytes()
    assert [path.name for path in (home / "sluice").iterdir()] == ["key"]


@pytest.mark.parametrize("mode", [0o640, 0o620, 0o610, 0o604, 0o602, 0o601])
def test_a_key_that_others_can_read(home, mode):
    signing_key()
    (home / "sluice" / "key").chmod(mode)
    with pytest.raises(UserError, match="can be read by other users: remove it"):
        signing_key()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_key_of_another_user(home):
    signing_key()
    os.chown(home / "sluice" / "key", 4321, 4321)
    with pytest.raises(UserError, match="belongs to another user: set XDG_CACHE_HOME"):
        signing_key()


def test_a_key_that_is_a_link(home, tmp_path):
    (tmp_path / "known").write_bytes(bytes(SIZE))
    (home / "sluice").mkdir()
    (home / "sluice" / "key").symlink_to(tmp_path / "known")
    with pytest.raises(UserError, match=r"cannot be read or made: .*; set XDG_CACHE_HOME"):
        signing_key()


def test_a_home_that_cannot_be_written(home):
    home.chmod(0o500)
    with permissions.obeyed(), pytest.raises(UserError, match="Permission denied; set XDG_CACHE_"):
        signing_key()


def _send_key(pipe):
    pipe.send(signing_key())


def test_processes_that_begin_at_once_agree():
    context = multiprocessing.get_context("fork")
    pipes = [context.Pipe() for _ in range(8)]
    workers = [context.Process(target=_send_key, args=(far,)) for _, far in pipes]
    for worker in workers:
        worker.start()
    for _, far in pipes:
        far.close()  # so that `recv` raises if a worker ends without a key
    assert len({near.recv() for near, _ in pipes}) == 1
    for worker in workers:
        worker.join()
