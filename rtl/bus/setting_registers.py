"""Gives each setting of a host its registers: one register for each 32 bits of the setting."""

from rtl.bus.register import Access, BitField, Register

_WORD = 0xFFFF_FFFF


def register_names(setting):
    """Returns the names of a setting's registers, the low word's first."""
    if setting.words == 1:
        return (setting.name,)
    return (f"{setting.name}_low", f"{setting.name}_high")


def register_words(setting, value):
    """Returns the writes that set a setting to ``value``: a word for each register, by name."""
    bits = 32 * setting.words
    low, high = (-(1 << bits - 1), 1 << bits - 1) if setting.signed else (0, 1 << bits)
    if not low <= value < high:
        raise ValueError(f"{setting.name} must be from {low} to {high - 1}, not {value}")
    return {name: value >> 32 * k & _WORD for k, name in enumerate(register_names(setting))}


def setting_registers(numbers, begin, end, effect):
    """Returns the registers of settings, from ``begin`` to before ``end``; ``effect`` says when a
    write takes effect."""
    named = [
        (number, k, name) for number in numbers for k, name in enumerate(register_names(number))
    ]
    limit = (end - begin) // 4
    if len(named) > limit:
        raise ValueError(f"registers of settings must be at most {limit}, not {len(named)}")
    return [
        Register(
            name=name,
            address=begin + 4 * index,
            access=Access.READ_WRITE,
            doc=_doc(number, k, effect),
            fields=(BitField(name=name, low=0, width=_width(number, k), doc="the value's bits"),),
        )
        for index, (number, k, name) in enumerate(named)
    ]


def _width(setting, word):
    """Returns the number of significant bits of a word of a setting: all 32 of a signed number, as
    the sign fills them."""
    if setting.signed and setting.width % 32 == 1:  # the sign leaves no bit for the misfit
        raise ValueError(f"width of a signed setting must not be 1 or 33: {setting.name}")
    return 32 if setting.signed else min(32, setting.width - 32 * word)


def _doc(setting, word, effect):
    """Returns the description of a setting's word."""
    last = word == setting.words - 1
    text = setting.doc
    if setting.words > 1:
        text += "; high word" if last else "; low word"
    text += f". {effect}; 0 after a reset, kept over a soft reset"
    if setting.signed:
        text += "; two's complement"
    if not last or setting.width % 32 == 0:
        return text
    if setting.signed:
        return f"{text}, extended by its sign: a value that does not fit reads as the least one"
    return f"{text}; too great a value reads as the greatest that fits"
