"""Fixtures of the cache's tests: a home of their own, so that the user's key is not touched."""

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path_factory, monkeypatch):
    """The user's cache directory, empty at first."""
    path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CACHE_HOME", str(path))
    return path
