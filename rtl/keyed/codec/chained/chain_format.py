"""Layouts of blocks on their way to the decoders of chains; no hardware is built here."""

from amaranth.lib import data

from rtl.keyed.codec.block_format import block_layout, repeated_layout

#: Members of a block of a window that a decoder needs.
DECODED = ("block", "coded", "count", "skip", "dependent", "start", "save")


def feed_layout(place):
    """Returns the layout of what is fed back after a window.

    ``valid``; ``place``, where the next window begins; ``lost`` is high if the state at this place
    is unknown, as blocks of the window are damaged.
    """
    return data.StructLayout({"valid": 1, "lost": 1, "place": place})


def window_block_layout(form, passenger, place):
    """Returns the layout of a block of a window, for codecs with chains.

    Members: those of :func:`~rtl.keyed.codec.block_format.block_layout`; ``dependent``, the block
    has no seed; ``opens``, it is the first block of its window, and then ``start`` is the state
    before it; ``save``, the next window may begin in this block, so the state before it is to be
    fed back, unless a later block of the window has ``save``, too; ``feed``, with the last block.
    """
    flags = dict.fromkeys(("dependent", "opens", "save"), 1)
    more = {"start": form.start, "feed": feed_layout(place)}
    return data.StructLayout({**block_layout(passenger).members, **flags, **more})


def chain_block_layout(form, passenger):
    """Returns the layout of a block of a chain, for a decoder.

    Members: those of the window's block that are decoded; ``head``, it is the first block of its
    chain; ``ends``, it is the last one; ``passenger``. With ``head`` a ``dependent`` block begins
    at ``start``.
    """
    members = window_block_layout(form, 0, 0).members
    kept = {name: members[name] for name in DECODED}
    return data.StructLayout({**kept, "head": 1, "ends": 1, "passenger": passenger})


def chain_value_layout(form, run, passenger):
    """Returns the layout of the values of chains: equal values, and the saved state.

    Members: those of :func:`~rtl.keyed.codec.block_format.repeated_layout`, where ``last`` marks
    the last value of a chain; ``saved``, the state before the last block of the chain with
    ``save``, undefined without such a block.
    """
    values = repeated_layout(form.width, run, passenger).members
    return data.StructLayout({**values, "saved": form.start})
