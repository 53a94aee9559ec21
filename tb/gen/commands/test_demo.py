"""Checks that the files that `sluice demo` uses by default exist, and fit each other."""

from inspect import signature

from gen.commands.demo import demo
from gen.design.build import resolve


def test_the_demo_finds_its_query_and_its_data():
    own_values = {name: parameter.default for name, parameter in signature(demo).parameters.items()}
    query = resolve(own_values["query"], board=own_values["board"]).query
    assert own_values["data"].is_file()
    assert query.group is not None
