"""The lookups of a hash table of keys, whose entries a plain model chooses stream by stream."""

from tb.cocotb.keyed.key_indices import indices
from tb.cocotb.support.stimulus import by_group

_SCHEMA = "position long, entry long, fresh boolean, evicted boolean, evicted_key long"


def with_lookups(frame, key_width, entries, ways):
    """Returns tuples with the ``entry`` of their key, and whether it is ``fresh`` or ``evicted``.

    ``frame`` has the columns ``position``, ``stream``, ``key``, and ``valid``, which is false for a
    beat without a tuple: its entry is NULL. The table is empty at the start of each stream. A key
    without an entry gets a free one of its entries, or evicts the ``evicted_key``, the least
    recently used.
    """
    depth = entries // ways

    def least_recently_used(stream):
        """Returns the entries of the tuples of a stream."""
        arrivals = {}  # the latest arrival of each key in the table, by entry: (arrival, key)
        result = []
        for row in stream:
            lookup = {"entry": None, "fresh": False, "evicted": False, "evicted_key": None}
            places = [place + way * depth for way, place in enumerate(row["index"])]
            if row["valid"]:
                mine = [p for p in places if p in arrivals and arrivals[p][1] == row["key"]]
                unused = [place for place in places if place not in arrivals]
                lookup["entry"] = (mine or unused or [min(places, key=arrivals.get)])[0]
                lookup["fresh"] = not mine
                lookup["evicted"] = not mine and not unused
                if lookup["evicted"]:
                    lookup["evicted_key"] = arrivals[lookup["entry"]][1]
                arrivals[lookup["entry"]] = row["position"], row["key"]
            result.append({"position": row["position"], **lookup})
        return result

    index = indices(frame["key"], key_width, depth.bit_length() - 1, ways)
    requests = frame.select("position", "stream", "key", "valid", index.alias("index"))
    lookups = by_group(requests, ["stream"], least_recently_used, _SCHEMA)
    return frame.join(lookups, "position")
