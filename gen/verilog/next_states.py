"""Names each next state in a Verilog text after its register.

Amaranth computes the next state of a register in a block without a clock, for which Yosys invents a
name such as ``_14_``. For instance ``valid <= _14_;`` becomes ``valid <= valid_next;``.
"""

import re

from gen.verilog.free_name import free_name

_MODULE = re.compile(r"^(?=module )", re.MULTILINE)
#: A name that Yosys has invented.
_INVENTED = re.compile(r"\b_\d+_\b")
#: The whole of a register takes its next state.
_STEP = re.compile(r"^ +([A-Za-z]\w*) <= (_\d+_);$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_][\w$]*")


def with_named_next_states(text: str) -> str:
    """Returns the text with ``<register>_next`` in place of an invented name of a next state.

    If a module uses this name already, a number follows it. A next state of two registers is named
    after the first one in the text. All other names stay.

    Parameters
    ----------
    text : str
        Verilog as Yosys writes it: one declaration or assignment in each line, no escaped names.
    """
    return "".join(map(_renamed, _MODULE.split(text)))


def _renamed(module):
    used = set(_NAME.findall(module))
    names: dict[str, str] = {}
    for register, invented in _STEP.findall(module):
        if invented not in names:
            names[invented] = free_name(f"{register}_next", used)
            used.add(names[invented])
    return _INVENTED.sub(lambda match: names.get(match[0], match[0]), module)
