"""`sluice engines`: what there is to choose from."""

from gen.console import Output, table
from gen.arguments import Json
from rtl.engine import ENGINES


def engines(json: Json = False):
    """The engines and their parameters, with defaults and ranges."""
    listed = [_engine(name, engine) for name, engine in ENGINES.items()]
    tables = [
        table(
            f"{engine['name']}: {engine['about']}",
            ["parameter", "default", "values", "meaning"],
            [[p["name"], str(p["default"]), _values(p), p["doc"]] for p in engine["parameters"]],
        )
        for engine in listed
    ]
    Output(json).result({"engines": listed}, *tables)


def _engine(name, engine):
    about = (engine.__doc__ or "").strip().splitlines()[0]
    return {
        "name": name,
        "about": about,
        "parameters": [_field(f) for f in engine.settings_fields()],
    }


def _field(field):
    limits = {
        key: list(field.metadata[key]) for key in ("range", "choices") if key in field.metadata
    }
    return {"name": field.name, "default": field.default, **limits, "doc": field.metadata["doc"]}


def _values(parameter):
    if "choices" in parameter:
        return ", ".join(map(str, parameter["choices"]))
    return "{} to {}".format(*parameter["range"]) if "range" in parameter else ""
