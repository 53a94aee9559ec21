"""Describes the registers of an engine's top: counters, flags, settings and the link's values."""

from dataclasses import replace

from rtl.bus.registers import capabilities, register_map
from rtl.bus.stream_master import StreamMaster
from rtl.bus.stream_slave import StreamSlave
from rtl.contract.counters import BAD_SETTING, Flag
from rtl.ethernet.face import NetworkFace
from rtl.ethernet.settings import LINK_SETTINGS, LINK_STATUS, SETTINGS

BAD_FUNCTION = Flag(
    name="bad_function",
    doc="a function was written that the build does not have; the write was ignored",
)


def _block_class(bus):
    """Returns the class of the component between a stream's pins and the core."""
    return StreamSlave if bus.slave else StreamMaster


def _suffix(bus):
    """Returns the suffix of the counters of a stream: "" for s_axis and m_axis, "_evicted" for
    m_axis_evicted."""
    return bus.name[len("s_axis") :]


def bus_counters(bus):
    """Yields pairs: a counter's name in a stream's component, and the counter of the register map.

    The name in the register map ends in the suffix of the stream: the component of
    ``m_axis_evicted`` counts ``rows``, and the register map has the counter ``rows_evicted``.
    """
    for counter in _block_class(bus).counters_of(bus.lanes):
        doc = counter.doc.format(bus=bus.name)
        yield counter.name, replace(counter, name=counter.name + _suffix(bus), doc=doc)


def counters_of(design):
    """Returns the counters of a design's top: of streams, core and network face."""
    stream_counters = (counter for bus in design.streams for _, counter in bus_counters(bus))
    return (*stream_counters, *design.counters, *network_counters(design))


def network_counters(design):
    """Returns the counters of a design's network face; empty without the face."""
    return NetworkFace.counters_of(design.face.host_link) if design.face.network else ()


def flags_of(design):
    """Returns all error bits of a design's status register, each once.

    ``bad_setting`` is among them if the design has numeric settings or a network face, whose
    settings are checked, too.
    """
    network_flags = NetworkFace.flags if design.face.network else ()
    setting_flags = (BAD_SETTING,) if design.settings.numbers or design.face.network else ()
    flags = (BAD_FUNCTION, *StreamSlave.flags, *setting_flags, *design.flags, *network_flags)
    return tuple(dict.fromkeys(flags))


def network_settings(design):
    """Returns the host settings of a design's network face; empty without the face."""
    return SETTINGS if design.face.network else ()


def link_settings(design):
    """Returns the host settings of the link to a host; empty without the link."""
    return LINK_SETTINGS if design.face.host_link else ()


def link_status(design):
    """Returns a dict: the description of each read-only register of the link to a host, by name.

    The dict is empty without the link.
    """
    return LINK_STATUS if design.face.host_link else {}


def registers_of(design):
    """Returns the register map of a design's top: see :func:`rtl.bus.registers.register_map`."""
    settings = design.settings
    return register_map(
        configuration=design.configuration_hash,
        capabilities=capabilities(
            lanes=design.input.lanes,
            functions=len(settings.functions),
            selection=any(counter.name == "filtered" for counter in design.counters),
            settings=sum(setting.words for setting in settings.numbers),
        ),
        settings=settings,
        counters=counters_of(design),
        flags=flags_of(design),
        interrupt=design.face.interrupt,
        network=network_settings(design),
        link=link_settings(design),
        link_status=link_status(design),
    )
