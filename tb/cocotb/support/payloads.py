"""Forms of payloads: the names of their fields, and the beats of lists of tuples."""

from decimal import Decimal


def flat(value, name=""):
    """Returns a nested payload as a mapping of a field's path to an int.

    Names of nested fields are joined by ``_``. Item k of ``tuples`` is ``lane<k>``, and item k of
    another array is ``<name><k>``. Fields that are None are left out. Bytes are an unsigned number,
    lowest byte first. A text stays a text: it is a note for the bench, and no field of the design.
    For instance ``{"tuples": [{"x": 1}, None], "sums": [5, 6]}`` becomes
    ``{"lane0_x": 1, "sums0": 5, "sums1": 6}``.

    Raises
    ------
    TypeError
        For a number that is not whole, and for a value of another type, such as a float.
    """
    if isinstance(value, dict):
        parts = ((f"{name}_{key}" if name else key, part) for key, part in value.items())
    elif isinstance(value, list):
        array = name.removesuffix("tuples") + "lane" if name.endswith("tuples") else name
        parts = ((f"{array}{k}", part) for k, part in enumerate(value))
    elif isinstance(value, bytes):
        return {name: int.from_bytes(value, "little")}
    elif isinstance(value, str):
        return {name: value}
    elif value is None:
        return {}
    elif isinstance(value, int) or (isinstance(value, Decimal) and value == int(value)):
        return {name: int(value)}
    else:
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    return {path: number for key, part in parts for path, number in flat(part, key).items()}


def beat(lanes, last, **fields):
    """Returns a beat with a tuple in some lanes: ``lanes`` maps a lane to its tuple.

    A tuple is a mapping of a field's name to an int; the name is "" if the tuple is one number. Bit
    k of ``valid`` says that lane k has a tuple. ``fields`` are further fields of the beat. For
    instance ``beat({1: {"x": 7}}, True)`` is ``{"lane1_x": 7, "valid": 2, "last": 1}``.
    """
    payload = {
        f"lane{k}_{name}" if name else f"lane{k}": number
        for k, tuple_ in lanes.items()
        for name, number in tuple_.items()
    }
    return payload | {"valid": sum(1 << k for k in lanes), "last": int(last)} | fields


def dense_beats(lists, lanes, *, empty_ends=False):
    """Returns the beats of lists: full beats, then a last beat with the remaining tuples.

    With 2 lanes a list of 3 tuples becomes a full beat, and a beat with one tuple and ``last``. An
    empty list is one empty beat. With ``empty_ends`` lists 0, 2, 4 and so on end with an empty beat
    if their last tuples fill a beat.
    """
    beats = []
    for number, tuples in enumerate(lists):
        rows = [tuples[k : k + lanes] for k in range(0, len(tuples), lanes)]
        if not rows or (empty_ends and number % 2 == 0 and len(rows[-1]) == lanes):
            rows.append([])
        beats += [beat(dict(enumerate(row)), k == len(rows) - 1) for k, row in enumerate(rows)]
    return beats
