"""The files that `sluice demo` takes by itself are there, and go together."""

from inspect import signature

from gen.commands.demo import demo
from gen.design.build import resolve


def test_the_demo_finds_its_query_and_its_data():
    own = {name: parameter.default for name, parameter in signature(demo).parameters.items()}
    query = resolve(own["query"], board=own["board"]).query
    assert own["data"].is_file()
    assert query.group is not None
