"""The register map, once: hardware, host software and documents are all generated from it.

Registers are 32 bits wide, at byte addresses that are multiples of 4. A read changes nothing and
never waits. A 64-bit counter is a pair of registers, low word first. A setting of more than 32 bits
is a pair, too, and each word is written by itself: write both words before the stream that uses
them.

To read counters of the same cycle, write ``snapshot`` to ``control``: from then on all counters
read as they were in that cycle, though they go on counting. A write of ``control`` without
``snapshot`` makes reads return the running counters again. To read a running counter, read high,
low, high, and repeat when the two highs differ.

Addresses are assigned in the order of declaration: identity and commands from 0, then settings, and
counters from a base of their own, so that a new setting moves no counter. Three groups have fixed
bases at the end of the map: the registers of a link to a host begin at 0xf80 (settings) and 0xfa0
(values to read), the registers of a network face at 0xfc0, and the registers of an interrupt at
0xff8.
"""

from rtl.bus.register import Access, BitField, Register
from rtl.bus.setting_registers import setting_registers

MAGIC = 0x534C4345  # "SLCE"
VERSION = 0x0002_0000  # major, minor: of this register map
WITH_INTERRUPT = 0x0002_0001  # version of a map with the registers of an interrupt
WITH_NETWORK = 0x0002_0003  # version of a map with a network face, with or without an interrupt
WITH_LINK = 0x0002_0004  # version of a map with a network face and a link to a host
#: Bits of a byte address: 4 KiB, the smallest range that an address space gives to a slave.
ADDRESS_WIDTH = 12
CONTROL = 0x010
STATUS = 0x014
FUNCTION = 0x018
SETTINGS = 0x020
COUNTERS = 0x400
END = 1 << ADDRESS_WIDTH
INTERRUPT = END - 8
NETWORK = END - 64
LINK = NETWORK - 64
LINK_STATUS = NETWORK - 32
#: Number of registers of 32 bits for the settings of a query.
SETTING_REGISTERS = (COUNTERS - SETTINGS) // 4


_CAPABILITIES = (
    BitField(name="lanes", low=0, width=8, doc="tuples per beat"),
    BitField(name="functions", low=8, width=8, doc="choices of the function register"),
    BitField(name="selection", low=16, width=1, doc="WHERE or NaN removal is built in"),
    BitField(name="settings", low=17, width=8, doc="registers of host settings"),
)
_CONTROL = (
    BitField(
        name="soft_reset",
        low=0,
        width=1,
        doc="write 1: drops the contents of the engine, and clears counters and errors. Allowed at "
        "any time: the rest of a stream at the input is taken and dropped, offered beats go out, "
        "and an empty beat ends a packet that was cut. The reset is complete when busy is 0",
    ),
    BitField(
        name="snapshot",
        low=1,
        width=1,
        doc="write 1: all counters read as they are in this cycle, until the next write of this "
        "register, while they go on counting",
    ),
)
BUSY = BitField(
    name="busy",
    low=31,
    width=1,
    doc="no error: tuples or rows are in the engine, or a stream at the input has not ended",
)
#: When a written setting takes effect: a stream's setting, and a setting of a network face.
_SAMPLED = "Sampled at the first beat of each stream"
_TAKEN_OVER = "Taken over with the other settings of the network as soon as nothing is being sent"
_CAUSES = (
    BitField(
        name="stream_done",
        low=0,
        width=1,
        doc="a stream has ended and the engine is empty: all rows have been taken",
    ),
    BitField(name="error", low=1, width=1, doc="a bit of status was set that was 0"),
)


def register_map(
    *,
    configuration,
    capabilities,
    settings,
    counters,
    flags,
    interrupt=False,
    network=(),
    link=(),
    link_status=None,
):
    """Returns every register of an engine's top by name, ascending by address.

    Parameters
    ----------
    configuration : int
        32-bit hash of the resolved configuration.
    capabilities : int
        See the register's fields.
    settings : HostSettings
        Each number is in the register of its name. A number of more than 32 bits is in two
        registers, whose names end in ``_low`` and ``_high``.
    counters : iterable of Counter
        Each counter is in two registers.
    flags : iterable of Flag
        The error bits of ``status``, from bit 0; its highest bit is ``busy``.
    interrupt : bool
        The top has an interrupt, with registers of its own.
    network : sequence of HostSetting
        Settings of a network face, which hold for all streams; empty without the face.
    link : sequence of HostSetting
        Settings of the link of a network face to a host; empty without the link.
    link_status : mapping of str to str, or None
        Name and description of each value of the link that a host reads.

    Raises
    ------
    ValueError
        When two registers have the same name or address, two flags have the same name, there are
        more than 31 flags, or the addresses do not suffice.
    """
    version = WITH_NETWORK if network else WITH_INTERRUPT if interrupt else VERSION
    version = WITH_LINK if link else version
    registers = [
        *_identity(configuration, capabilities, version),
        *_commands(settings.functions, flags),
        *setting_registers(settings.numbers, SETTINGS, COUNTERS, _SAMPLED),
        *setting_registers(link, LINK, LINK_STATUS, _TAKEN_OVER),
        *_status(link_status or {}),
        *setting_registers(network, NETWORK, INTERRUPT, _TAKEN_OVER),
        *_counters(counters),
        *(_interrupt() if interrupt else ()),
    ]
    return checked_map(registers)


def checked_map(registers):
    """Returns registers by name, ascending by address; raises ValueError if two have the same name
    or address, or an address is not allowed."""
    by_name = {}
    by_address = {}
    for register in sorted(registers, key=lambda register: register.address):
        if register.name in by_name:
            raise ValueError(f"names of registers must differ: there are two {register.name}")
        if other := by_address.get(register.address):
            raise ValueError(
                f"{register.name} and {other.name} must not be both at {register.address:#05x}"
            )
        if register.address % 4 or not 0 <= register.address < END:
            raise ValueError(
                f"{register.name} must be at a multiple of 4 below {END:#x}, not at "
                f"{register.address:#05x}"
            )
        by_name[register.name] = by_address[register.address] = register
    return by_name


def _identity(configuration, capabilities, version):
    """Returns the constant registers that identify the build."""
    constants = (
        ("magic", MAGIC, '"SLCE" in ASCII', ()),
        (
            "version",
            version,
            "version of this register map: major in the upper half, minor in the lower",
            (),
        ),
        (
            "configuration",
            configuration,
            "first 32 bits of the SHA-256 of the resolved configuration, as in the manifest",
            (),
        ),
        ("capabilities", capabilities, "properties of this build", _CAPABILITIES),
    )
    return [
        Register(name=name, address=4 * k, access=Access.READ, value=value, doc=doc, fields=fields)
        for k, (name, value, doc, fields) in enumerate(constants)
    ]


def _commands(functions, flags):
    """Returns the registers of commands, status and function."""
    flags = tuple(flags)
    names = [flag.name for flag in flags]
    if len(names) > BUSY.low:
        raise ValueError(f"flags must be at most {BUSY.low}, not {len(names)}")
    if len({*names, BUSY.name}) <= len(names):
        raise ValueError(f"names of flags must differ: {', '.join(names)}")
    choices = ", ".join(f"{k} {name}" for k, name in enumerate(functions)) or "none in this build"
    status = tuple(
        BitField(name=flag.name, low=k, width=1, doc=flag.doc) for k, flag in enumerate(flags)
    )
    return [
        Register(
            name="control", address=CONTROL, access=Access.WRITE, fields=_CONTROL, doc="commands"
        ),
        Register(
            name="status",
            address=STATUS,
            access=Access.READ,
            fields=(*status, BUSY),
            doc="errors since the last reset, each of which stays until a soft reset; and whether "
            "the engine is busy",
        ),
        Register(
            name="function",
            address=FUNCTION,
            access=Access.READ_WRITE,
            doc=f"which aggregate the result column shows: {choices}. Sampled at the first beat "
            "of each stream",
            fields=(BitField(name="function", low=0, width=8, doc="index of the aggregate"),),
        ),
    ]


def _status(values):
    """Returns the registers of the values that a host reads."""
    return [
        Register(name=name, address=LINK_STATUS + 4 * k, access=Access.READ, doc=doc)
        for k, (name, doc) in enumerate(values.items())
    ]


def _counters(counters):
    """Returns the registers of the counters."""
    counters = tuple(counters)
    if len(counters) > (END - COUNTERS) // 8:
        limit = (END - COUNTERS) // 8
        raise ValueError(f"counters must be at most {limit}, not {len(counters)}")
    return [
        Register(
            name=f"{counter.name}_{half}",
            address=COUNTERS + 8 * index + 4 * k,
            access=Access.READ,
            doc=f"{counter.doc}; {half} word",
        )
        for index, counter in enumerate(counters)
        for k, half in enumerate(("low", "high"))
    ]


def _interrupt():
    """Returns the registers of an interrupt."""
    return [
        Register(
            name="interrupt_enable",
            address=INTERRUPT,
            access=Access.READ_WRITE,
            fields=_CAUSES,
            doc="causes that raise the interrupt; 0 after a reset, kept over a soft reset",
        ),
        Register(
            name="interrupt_pending",
            address=INTERRUPT + 4,
            access=Access.CLEAR,
            fields=_CAUSES,
            doc="causes that have occurred, enabled or not; write 1 to clear, as a soft reset does",
        ),
    ]


def capabilities(*, lanes, functions, selection, settings):
    """Returns the capabilities word; ``settings`` counts registers.

    Raises ValueError if a number does not fit its field.
    """
    values = {"lanes": lanes, "functions": functions, "selection": selection, "settings": settings}
    for field in _CAPABILITIES:
        limit = (1 << field.width) - 1
        if values[field.name] > limit:
            raise ValueError(f"{field.name} must be at most {limit}, not {values[field.name]}")
    return sum(values[field.name] << field.low for field in _CAPABILITIES)
