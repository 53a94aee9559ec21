"""`sluice engines`: what there is to choose from."""

from gen.commands.arguments import Json
from gen.terminal.console import Output, table
from rtl.contract.options import option_fields
from rtl.engine import ENGINES


def engines(json: Json = False):
    """The engines and their parameters, with defaults and ranges."""
    listed = [_engine(engine) for engine in ENGINES.values()]
    tables = [
        table(
            f"{engine['name']}: {engine['about']}",
            ["parameter", "default", "values", "meaning"],
            [[p["name"], _default(p), _values(p), p["doc"]] for p in engine["parameters"]],
        )
        for engine in listed
    ]
    Output(json).result({"engines": listed}, *tables)


def _engine(engine):
    parameters = [_option(field) for field in option_fields(engine.options)]
    return {"name": engine.name, "about": engine.about, "parameters": parameters}


def _option(field):
    told = field.metadata
    limits = {key: list(told[key]) for key in ("range", "choices") if key in told}
    more = {key: told[key] for key in ("unit", "absent") if told[key] is not None}
    return {"name": field.name, "default": field.default, **limits, **more, "doc": told["doc"]}


def _default(parameter):
    """The default; of an option that may be left open, what then stands for it."""
    default = parameter["default"]
    return parameter["absent"] if default is None else str(default)


def _values(parameter):
    if "choices" in parameter:
        return ", ".join(map(str, parameter["choices"]))
    return "{} to {}".format(*parameter["range"]) if "range" in parameter else ""
