"""Describes the layouts of blocks on the way to the decoders of chains; nothing is built here."""

from amaranth.lib import data

from rtl.keyed.codec.block_format import block_layout, repeated_layout

#: Members of a block of a window that a decoder needs.
DECODED = ("block", "coded", "count", "skip", "dependent", "start", "save")


def feed_layout(place):
    """Returns the layout of a window's contribution to the feedback, sent with its last block.

    ``valid``; ``place``, the block in which the next window begins; ``lost``, high if the state
    before this block cannot be known, because blocks of the window are damaged.
    """
    return data.StructLayout({"valid": 1, "lost": 1, "place": place})


def window_block_layout(form, passenger, place):
    """Returns the layout of a block of a window, for codecs with chains.

    Members: those of :func:`~rtl.keyed.codec.block_format.block_layout`, and:

    - ``dependent``: the block has no seed;
    - ``opens``: the block is the first one of its window, and ``start`` is the state before it;
    - ``save``: the decoder saves the state before the block, because the next window may begin in
      the block. The state that is saved last in a window is fed back;
    - ``feed``: a :func:`feed_layout`, which is valid in the window's last block.
    """
    flags = dict.fromkeys(("dependent", "opens", "save"), 1)
    states = {"start": form.start, "feed": feed_layout(place)}
    return data.StructLayout({**block_layout(passenger).members, **flags, **states})


def chain_block_layout(form, passenger):
    """Returns the layout of a block of a chain, for a decoder.

    Members: the :data:`DECODED` ones of the window's block; ``head`` and ``ends``, high for the
    first and the last block of a chain; ``passenger``. A ``dependent`` block that is the ``head``
    of its chain begins in the state ``start``.
    """
    members = window_block_layout(form, 0, 0).members
    decoded = {name: members[name] for name in DECODED}
    return data.StructLayout({**decoded, "head": 1, "ends": 1, "passenger": passenger})


def chain_counts(fold):
    """Returns the members that count the values of a chain's blocks, by name.

    ``m3_values``: values of blocks from memory level M3. With pivots a window may be sent several
    times, and only blocks that are sent for the first time count; ``new_values`` is the number of
    all values of these blocks. For instance a chain of three blocks of 10 values, of which the
    first was sent before, and the last one is the growing block: ``new_values`` 20, ``m3_values``
    10.
    """
    new = {"new_values": fold.count_bits} if fold.pivots else {}
    return {"m3_values": fold.count_bits, **new}


def chain_value_layout(form, run, passenger):
    """Returns the layout of the values of chains: equal values, and the saved state.

    Members: those of :func:`~rtl.keyed.codec.block_format.repeated_layout`, where ``last`` marks
    the last value of a chain; ``saved``, the state before the last block with ``save`` of the
    chain, undefined if no block of the chain has ``save``.
    """
    values = repeated_layout(form.width, run, passenger).members
    return data.StructLayout({**values, "saved": form.start})
