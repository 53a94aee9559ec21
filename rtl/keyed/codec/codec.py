"""Defines the interface of a codec: the classes that a codec's file derives from, and its entry."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from inspect import isabstract

from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import symbol_layout, value_layout
from rtl.keyed.codec.serial_decoder import SerialDecoder
from rtl.keyed.codec.symbol_values import ExactSymbols


class Codec(ABC):
    """Describes how a codec stores values of one width in blocks.

    Each codec derives a frozen dataclass from it. A codec whose blocks are decoded at once also has
    ``slots``, the most values of a block, and ``lanes``, the least power of two from ``slots`` on:
    with 45 slots there are 64 lanes.

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    stamp_bits : int
        Bits of a block's stamp, 0 with windows of rows; see
        :class:`~rtl.keyed.codec.block_format.BlockFormat`.
    """

    width: int
    stamp_bits: int

    @property
    @abstractmethod
    def format(self):
        """The :class:`~rtl.keyed.codec.block_format.BlockFormat` of the codec's blocks."""


class Encoder(wiring.Component, ABC):
    """Computes the symbol of each value: the bits that stand for the value in a coded block.

    :class:`~rtl.keyed.codec.block_format.BlockFormat` describes the blocks. The symbol of a value
    depends on the earlier values of its key since the key was inserted into the table (``fresh``).
    A symbol must not depend on where blocks begin.

    Order is kept. Initiation interval 1 cycle, for any keys, the same key in successive cycles
    included. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : Codec
    entries : int
        Number of keys, a power of two of at least 2.
    passenger : ShapeLike
        Data that accompany a value, and are passed on unchanged.

    Members
    -------
    i : In(stream.Signature(value_layout(codec.format, entries, passenger)))
    o : Out(stream.Signature(symbol_layout(codec.format, entries, passenger)))
    """

    initiation_interval = 1

    def __init__(self, codec, entries, passenger=0):
        self._codec = codec
        value = value_layout(codec.format, entries, passenger)
        symbol = symbol_layout(codec.format, entries, passenger)
        super().__init__({"i": In(stream.Signature(value)), "o": Out(stream.Signature(symbol))})

    @property
    @abstractmethod
    def latency(self):
        """Latency from a value to its symbol, in cycles; an attribute of the class."""

    @staticmethod
    @abstractmethod
    def memory_bits_of(codec, entries):
        """Returns the bits of the memories of an encoder without making the encoder."""


@dataclass(frozen=True, kw_only=True)
class CodecEntry:
    """Describes a codec for the engine and the prediction.

    A codec with further options or host settings has a subclass of CodecEntry, which overrides the
    methods for them.

    Attributes
    ----------
    name : str
        Value of the option ``codec``.
    summary : str
        Phrase for ``--help``.
    codec : type
        Subclass of :class:`Codec`.
    encoder : type
        Subclass of :class:`Encoder`.
    decoder : type
        Subclass of :class:`~rtl.keyed.codec.serial_decoder.SerialDecoder`; or a component that
        decodes a block at once, such as
        :class:`~rtl.keyed.codec.base_delta.decoder.BaseDeltaDecoder`.
    restorer : type
        Component that adds to each symbol the value that a decoder returns for it. The default is
        right only for a lossless codec.
    takes_floats : bool
        True if the codec compresses floating point, too.
    lossy : bool
        True if a decompressed value may differ from the original value.
    block_steps : callable or None
        With a serial decoder: ``block_steps(values, raw)`` returns the number of steps in which
        the decoder outputs a block; ``raw`` is True for a raw block. A step outputs one value, or
        several equal values.
    usual_steps : callable or None
        With a serial decoder: ``usual_steps(codec, ratio)`` returns the average steps of a block if
        only the compression ratio is available.
    variants : tuple of CodecEntry
        Entries of the other codecs that ``codec_for`` may return; only their classes matter.

    Raises
    ------
    TypeError
        A class lacks a part of its interface; the message names the class and the part. Or the
        codec is lossy and has the default ``restorer``.
    """

    name: str
    summary: str
    codec: type
    encoder: type
    decoder: type
    takes_floats: bool
    restorer: type = ExactSymbols
    lossy: bool = False
    block_steps: Callable | None = None
    usual_steps: Callable | None = None
    variants: tuple = ()

    def __post_init__(self):
        self._check_class(self.encoder, Encoder)
        if self.serial:
            self._check_class(self.decoder, SerialDecoder)
            self._check_class(self.codec, self.decoder.codec_interface or Codec)
            required = {self: ("block_steps", "usual_steps")}
        else:
            self._check_class(self.codec, Codec)
            required = {self.codec: ("slots", "lanes"), self.decoder: ("latency",)}
        for owner, names in required.items():
            missing = [name for name in names if getattr(owner, name, None) is None]
            if missing:
                owner_name = getattr(owner, "__name__", "its entry")
                raise TypeError(f"codec {self.name}: {owner_name} lacks {', '.join(missing)}")
        if self.lossy and self.restorer is ExactSymbols:
            raise TypeError(
                f"codec {self.name}: its entry lacks restorer, because ExactSymbols is right for "
                "lossless codecs only"
            )

    def _check_class(self, class_, interface):
        if not issubclass(class_, interface):
            raise TypeError(
                f"codec {self.name}: {class_.__name__} must be a subclass of {interface.__name__}"
            )
        if isabstract(class_):
            missing = ", ".join(sorted(class_.__abstractmethods__))
            raise TypeError(
                f"codec {self.name}: {class_.__name__} lacks {missing}, see {interface.__name__} "
                f"in {interface.__module__}"
            )

    @property
    def serial(self):
        """True if decoding a block takes several steps, and so needs a pool of decoders."""
        return issubclass(self.decoder, SerialDecoder)

    @property
    def chained(self):
        """True if a block may depend on the block of its key before it."""
        return self.serial and self.decoder.chains

    def codec_for(self, type_, options, stamp_bits):
        """Returns the codec for values of a column's type.

        Parameters
        ----------
        type_ : query.types.Type
        options : rtl.engine.streamzip.options.Options
            A codec reads only its own options.
        stamp_bits : int
            Bits of a block's stamp, as for :class:`Codec`.
        """
        return self.codec(width_of(type_), stamp_bits=stamp_bits)

    def check(self, column, type_, options):
        """Raises ValueError unless the codec compresses the type and its options are allowed."""
        if type_.floating and not self.takes_floats:
            raise ValueError(f"codec must be none for {column}, floating point, not {self.name}")

    def default_options(self, type_):
        """Returns the defaults of the codec's options that depend on the type, by name."""
        return {}

    def host_settings(self, type_, options):
        """Returns the host settings of the codec, a tuple of HostSetting."""
        return ()


def width_of(type_):
    """Returns the bits of a value in a block: 32 for types of up to 32 bits, else 64."""
    return 32 if type_.width <= 32 else 64
