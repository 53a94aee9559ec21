"""The registry of codecs, and the checks of a codec's interface."""

from dataclasses import dataclass, replace

import pytest

from golden.codecs.registry import CODECS
from rtl.keyed.codec import xor
from rtl.keyed.codec.block_format import BlockFormat
from rtl.keyed.codec.change_decoder import ChangeCodec, ChangeDecoder
from rtl.keyed.codec.codec import Codec, Encoder
from rtl.keyed.codec.codecs import CODEC_ENTRIES, entry_of


class TotalFormat:
    width = 64
    stamp_bits = 0

    @property
    def format(self):
        return BlockFormat(width=64, seed_bits=64, large_max=65)


@dataclass(frozen=True)
class Incomplete(TotalFormat, ChangeCodec):
    """A codec with a format; it lacks the other members of ``ChangeCodec``."""


@dataclass(frozen=True)
class Other(TotalFormat, Codec):
    """A codec that is no codec of changes."""


class SilentEncoder(Encoder):
    """An encoder without a latency."""

    @staticmethod
    def memory_bits_of(codec, entries):
        return 0


def test_every_codec_has_a_plain_model():
    assert list(CODEC_ENTRIES) == list(CODECS)
    for name, entry in CODEC_ENTRIES.items():
        assert entry.lossy == CODECS[name].lossy
        assert entry_of(entry.codec()) is entry


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"codec": Incomplete},
            "codec xor: Incomplete lacks changed, difference, first_state, position, state, "
            "symbol, value_position, zero_position, see ChangeCodec in "
            "rtl.keyed.codec.change_decoder",
        ),
        ({"codec": Other}, "codec xor: Other must be a subclass of ChangeCodec"),
        ({"codec": dict}, "codec xor: dict must be a subclass of ChangeCodec"),
        (
            {"encoder": SilentEncoder},
            "codec xor: SilentEncoder lacks latency, see Encoder in rtl.keyed.codec.codec",
        ),
        ({"encoder": ChangeDecoder}, "codec xor: ChangeDecoder must be a subclass of Encoder"),
        ({"block_steps": None}, "codec xor: its entry lacks block_steps"),
        ({"decoder": dict}, "codec xor: Xor lacks slots, lanes"),
        (
            {"lossy": True},
            "codec xor: its entry lacks restorer, because ExactSymbols is right for lossless "
            "codecs only",
        ),
    ],
)
def test_an_incomplete_codec_is_refused_by_name(changes, message):
    with pytest.raises(TypeError) as error:
        replace(xor.ENTRY, **changes)
    assert str(error.value) == message


def test_an_incomplete_codec_cannot_be_created():
    with pytest.raises(TypeError, match="abstract"):
        Incomplete()
