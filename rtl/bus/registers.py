"""The register map, once: hardware, host software and documents are all made from it.

Registers are 32 bits wide, at byte addresses that are multiples of 4. Reading changes nothing and
never waits. A 64-bit counter is a pair, low word first; to read one that runs, read high, low, high
and take it again when the two highs differ.
"""

from dataclasses import dataclass
from enum import StrEnum

MAGIC = 0x534C4345  # "SLCE"
VERSION = 0x0001_0001  # major, minor: of this register map
SETTINGS = range(0x20, 0x40, 4)  # addresses of the run-time settings


class Access(StrEnum):
    READ = "r"
    WRITE = "w"
    READ_WRITE = "rw"


@dataclass(frozen=True, kw_only=True)
class BitField:
    """Bits ``low`` to ``low + width - 1`` of a register."""

    name: str
    low: int
    width: int
    doc: str


@dataclass(frozen=True, kw_only=True)
class Register:
    """One 32-bit register. ``value`` is what a constant one reads as."""

    name: str
    address: int
    access: Access
    doc: str
    fields: tuple[BitField, ...] = ()
    value: int | None = None


#: 64-bit counters, in the order of their addresses: each takes two registers.
COUNTERS = {
    "tuples": "tuples taken from s_axis",
    "rows": "rows given to m_axis",
    "streams": "streams ended at s_axis",
    "stall_in": "cycles in which s_axis offered a beat and was not ready for it",
    "stall_out": "cycles in which m_axis offered a beat that was not taken",
    "filtered": "tuples that WHERE left out",
    "late": "tuples dropped because a punctuation had promised that none so old would come",
    "overrun": "tuples dropped because no window could take them",
    "nan": "tuples dropped for a NaN in a column of the query",
    "collision": "tuples dropped because a table had no place for their key",
}

_CONTROL = (
    BitField(
        name="soft_reset",
        low=0,
        width=1,
        doc="write 1: empties the engine, drops what is inside, and clears counters and errors; "
        "stop both streams first. Reads 0",
    ),
)
_STATUS = (
    BitField(
        name="bad_function",
        low=0,
        width=1,
        doc="a function that the build does not have was written, and was not taken",
    ),
    BitField(
        name="bad_beat",
        low=1,
        width=1,
        doc="a beat came whose tuples were not in the lowest lanes, or that was short and not the "
        "last of its stream; rows since then are undefined, until a soft reset",
    ),
    BitField(
        name="too_long",
        low=2,
        width=1,
        doc="a stream had more tuples than the build's counts can hold",
    ),
    BitField(
        name="bad_setting",
        low=3,
        width=1,
        doc="a setting was written that is not allowed, or a stream began with settings that are "
        "not: it was dropped whole, and its tuples counted as overrun. The next stream that begins "
        "with settings that are allowed is answered again, without any reset",
    ),
)


def register_map(*, configuration, capabilities, functions, settings=()):
    """Every register of an engine's top, by name.

    Parameters
    ----------
    configuration : int
        32-bit hash of the resolved configuration.
    capabilities : int
        See the register's fields.
    functions : tuple of str
        What the function register chooses from; empty when there is none.
    settings : sequence of objects with ``name``, ``width`` and ``doc``
        What a host sets at run time, each in a register of its own.
    """
    if len(settings) > len(SETTINGS):
        raise ValueError(f"settings must be at most {len(SETTINGS)}, not {len(settings)}")
    read, write = Access.READ, Access.READ_WRITE
    choices = ", ".join(f"{k} {name}" for k, name in enumerate(functions)) or "none in this build"
    registers = [
        Register(name="magic", address=0x00, access=read, value=MAGIC, doc='"SLCE" in ASCII'),
        Register(
            name="version",
            address=0x04,
            access=read,
            value=VERSION,
            doc="version of this register map: major in the upper half, minor in the lower",
        ),
        Register(
            name="configuration",
            address=0x08,
            access=read,
            value=configuration,
            doc="first 32 bits of the SHA-256 of the resolved configuration, as in the manifest",
        ),
        Register(
            name="capabilities",
            address=0x0C,
            access=read,
            value=capabilities,
            doc="what was built",
            fields=(
                BitField(name="lanes", low=0, width=8, doc="tuples per beat"),
                BitField(name="functions", low=8, width=8, doc="choices of the function register"),
                BitField(name="selection", low=16, width=1, doc="WHERE or NaN removal is built in"),
                BitField(name="settings", low=17, width=4, doc="registers of run-time settings"),
            ),
        ),
        Register(
            name="control",
            address=0x10,
            access=write,
            fields=_CONTROL,
            doc="commands",
        ),
        Register(
            name="status",
            address=0x14,
            access=read,
            fields=_STATUS,
            doc="errors since the last reset; each stays until a soft reset",
        ),
        Register(
            name="function",
            address=0x18,
            access=write,
            doc=f"which aggregate the result column shows: {choices}. Sampled at the first beat "
            "of each stream",
            fields=(BitField(name="function", low=0, width=8, doc="index of the aggregate"),),
        ),
    ]
    for address, setting in zip(SETTINGS, settings, strict=False):
        value = BitField(name=setting.name, low=0, width=setting.width, doc="the setting's value")
        registers.append(
            Register(
                name=setting.name,
                address=address,
                access=write,
                doc=f"{setting.doc}. Sampled at the first beat of each stream; 0 after a reset, "
                "kept over a soft reset; too great a value reads as the greatest that fits",
                fields=(value,),
            )
        )
    address = 0x40
    for name, doc in COUNTERS.items():
        for half in ("low", "high"):
            registers.append(
                Register(
                    name=f"{name}_{half}",
                    address=address,
                    access=read,
                    doc=f"{doc}; {half} word",
                )
            )
            address += 4
    return {register.name: register for register in registers}


def capabilities(*, lanes, functions, selection, settings=0):
    """The capabilities word."""
    return lanes | functions << 8 | selection << 16 | settings << 17
