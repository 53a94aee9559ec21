"""The register map, once: hardware, host software and documents are all made from it.

Registers are 32 bits wide, at byte addresses that are multiples of 4. Reading changes nothing and
never waits. A 64-bit counter is a pair, low word first; to read one that runs, read high, low, high
and take it again when the two highs differ. A setting of more than 32 bits is a pair, too, and each
word is written by itself: write both before the stream that is to have it.
"""

from dataclasses import dataclass
from enum import StrEnum

MAGIC = 0x534C4345  # "SLCE"
VERSION = 0x0001_0002  # major, minor: of this register map
#: Addresses of the run-time settings; the counters stand between.
SETTINGS = (*range(0x20, 0x40, 4), *range(0xA0, 0x100, 4))
WORD = 0xFFFF_FFFF


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


def words(setting):
    """Names of a setting's registers, the low word's first."""
    if setting.words == 1:
        return (setting.name,)
    return (f"{setting.name}_low", f"{setting.name}_high")


def written(setting, value):
    """What a host writes so that a setting becomes ``value``: a word for each register, by name."""
    bits = 32 * setting.words
    low, high = (-(1 << bits - 1), 1 << bits - 1) if setting.signed else (0, 1 << bits)
    if not low <= value < high:
        raise ValueError(f"{setting.name} must be from {low} to {high - 1}, not {value}")
    return {name: value >> 32 * k & WORD for k, name in enumerate(words(setting))}


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
    settings : sequence of RunTime
        What a host sets at run time: each in the register of its name, or, when it has more than
        32 bits, in two whose names end in ``_low`` and ``_high``.
    """
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
                BitField(name="settings", low=17, width=6, doc="registers of run-time settings"),
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
    registers += _settings(settings)
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
    by_name = {register.name: register for register in registers}
    if len(by_name) < len(registers):
        raise ValueError(f"names of settings must be those of no other register: {[*by_name]}")
    return dict(sorted(by_name.items(), key=lambda item: item[1].address))


def _settings(settings):
    """The registers of the settings."""
    count = sum(setting.words for setting in settings)
    if count > len(SETTINGS):
        raise ValueError(f"settings must be at most {len(SETTINGS)}, not {count}")
    addresses = iter(SETTINGS)
    return [
        Register(
            name=name,
            address=next(addresses),
            access=Access.READ_WRITE,
            doc=_doc(setting, k),
            fields=(BitField(name=name, low=0, width=_width(setting, k), doc="the value's bits"),),
        )
        for setting in settings
        for k, name in enumerate(words(setting))
    ]


def _width(setting, word):
    """Bits of a word that mean something: all of a signed number's, as the sign fills them up."""
    if setting.signed and setting.width % 32 == 1:  # no room for what stands for a misfit
        raise ValueError(f"width of a signed setting must not be 1 or 33: {setting.name}")
    return 32 if setting.signed else min(32, setting.width - 32 * word)


def _doc(setting, word):
    last = word == setting.words - 1
    text = setting.doc
    if setting.words > 1:
        text += "; high word" if last else "; low word"
    text += ". Sampled at the first beat of each stream; 0 after a reset, kept over a soft reset"
    if setting.signed:
        text += "; two's complement"
    if not last or setting.width % 32 == 0:
        return text
    if setting.signed:
        return f"{text}, extended by its sign: a value that does not fit reads as the least one"
    return f"{text}; too great a value reads as the greatest that fits"


def capabilities(*, lanes, functions, selection, settings=0):
    """The capabilities word."""
    return lanes | functions << 8 | selection << 16 | settings << 17
