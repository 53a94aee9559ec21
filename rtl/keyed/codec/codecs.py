"""Registry of codecs. Adding a codec means adding one entry."""

from rtl.keyed.codec import base_delta, grid, sz, xor, xor_chained

#: The entry of each codec by its name, the value of the option ``codec``.
CODEC_ENTRIES = {
    module.ENTRY.name: module.ENTRY for module in (base_delta, xor, xor_chained, grid, sz)
}
_BY_CODEC = {
    variant.codec: variant
    for entry in CODEC_ENTRIES.values()
    for variant in (entry, *entry.variants)
}


def entry_of(codec):
    """Returns the CodecEntry of a Codec."""
    return _BY_CODEC[type(codec)]
