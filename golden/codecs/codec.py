"""The interface of a codec's plain model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from golden.codecs.symbols import Bits, Reader, Symbol
from query.types import Type


@dataclass(frozen=True)
class Codec(ABC):
    """Encodes values one by one; the state after each value suffices to encode the next value.

    Each codec derives a frozen dataclass from it. A value is an unsigned number.

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    initial
        State before a key's first value; None in a codec whose state begins with this value.
    lossy : bool
        True if a restored value may differ from the encoded value.
    chain : int
        Greatest number of successive blocks of which only the first has a seed: 1 if each block is
        decoded by itself. A codec with chains also has ``decode_on``.
    """

    width: int = 64

    initial: ClassVar[Any] = None
    lossy: ClassVar[bool] = False
    chain: ClassVar[int] = 1

    @classmethod
    def for_column(
        cls, type_: Type, options: Mapping[str, Any], settings: Mapping[str, int]
    ) -> Codec:
        """Returns the codec for a column's type, the options of a design and its host settings."""
        return cls(32 if type_.width <= 32 else 64)

    @abstractmethod
    def step(self, state: Any, value: int) -> tuple[Any, Symbol]:
        """Returns the state after a value, and the value's symbol."""

    @abstractmethod
    def seed(self, before: Any, after: Any) -> Bits:
        """Returns a block's seed, from the states before and after its first value."""

    def first(self, symbol: Symbol) -> Symbol:
        """Returns the bits of a block's first symbol that the seed does not encode already.

        These are all bits of the symbol if the seed is the state before the value.
        """
        return symbol

    @abstractmethod
    def decode(self, reader: Reader, count: int) -> list[int]:
        """Returns the values of a block, read from its seed on."""

    def decode_on(self, reader: Reader, count: int, state: Any) -> tuple[list[int], Any]:
        """Returns the values of a block, and the state after them.

        ``state`` is the state after the block before; None stands for a block with a seed. Only a
        codec whose blocks may depend on the block before defines this method.
        """
        raise NotImplementedError(f"{type(self).__name__} has no chains of blocks")

    def restore(self, state: Any, symbol: Symbol, value: int) -> int:
        """Returns the value that a decoder of a coded block restores.

        The symbol, and the state after the value, are the results of ``step``.
        """
        return value
