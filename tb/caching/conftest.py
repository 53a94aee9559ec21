"""Gives the cache's tests a home of their own, so that no test touches the user's key."""

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path_factory, monkeypatch):
    """Returns the user's cache directory, initially empty."""
    path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CACHE_HOME", str(path))
    return path
