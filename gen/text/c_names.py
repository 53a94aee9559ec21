"""Chooses names in C and C++ for columns, results and settings of a query.

A name must not be a keyword of either language, nor a macro or type that a compiler or an included
header may define. For instance ``int unix;`` is ``int 1;`` in GCC's default mode.
"""

import re
from collections.abc import Sequence

_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
    return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using
    virtual void volatile wchar_t while xor xor_eq"""
#: Macros without a leading _ that GCC or Clang defines by default on some machine.
_PREDEFINED = """
    hppa hpux i386 i486 i586 i686 ia64 linux m68k mc68000 mips powerpc sparc sun unix vax
    PPC MIPSEB MIPSEL WIN32 WINNT"""
#: Macros without parameters of the C library's headers, and types that the generated header uses: a
#: member with the name of a type would change the meaning of the type in C++.
_LIBRARY = r"""
    u?int(_least|_fast)?\d+_t u?int(ptr|max)_t size_t ptrdiff_t
    U?INT(_LEAST|_FAST)?\d+_(MAX|MIN|WIDTH) U?INT(PTR|MAX)_(MAX|MIN|WIDTH)
    (SIZE|PTRDIFF|SIG_ATOMIC|WCHAR|WINT)_(MAX|MIN|WIDTH)
    U?(CHAR|SHRT|INT|LONG|LLONG)_(MAX|MIN|BIT|WIDTH) (SCHAR|BOOL|MB_LEN|SSIZE|RAND|PATH)_(MAX|MIN)
    (FLT|DBL|LDBL)_\w+ M_[A-Z0-9_]+ HUGE_VAL[FL]? INFINITY NAN NULL EOF BUFSIZ SEEK_(SET|CUR|END)
    (PRI|SCN)[diouxX](\d|LEAST|FAST|MAX|PTR)\w* CLOCKS_PER_SEC EXIT_(SUCCESS|FAILURE)
    complex imaginary I noreturn errno stdin stdout stderr math_errhandling
    s6_addr\w* h_addr h_errno sa_(handler|sigaction) POLL[A-Z]+
    (AF|PF|SO|MSG|SOCK|IPPROTO|INADDR|IN|IP|CLOCK|NI|AI|EAI)_[A-Z0-9_]+
    E(2BIG|ACCES|AGAIN|BADF|BUSY|DOM|EXIST|FAULT|INTR|INVAL|IO|ISDIR|LOOP|NOENT|NOMEM|NOSPC|PERM|PIPE|RANGE)
    st_[amc]time (BYTE_ORDER|(LITTLE|BIG|PDP)_ENDIAN) FP_\w+"""
_RESERVED = re.compile("|".join((_KEYWORDS + _PREDEFINED + _LIBRARY).split()))


def c_name(text: str, top: str = "") -> str:
    """Returns a name in C for a text of a query, such as ``min_v`` for ``min(v)``.

    ``top`` is the prefix of the header's macros. A name that begins with ``top``, in capitals or
    not, is returned with ``a_`` in front.
    """
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "field"
    name = f"_{name}" if name[0].isdigit() else name
    if top and name.upper().startswith(top.upper()):
        name = f"a_{name}"
    return f"{name}_" if _RESERVED.fullmatch(name) else name


def names_of(texts: Sequence[str], top: str = "", ends: Sequence[str] = ()) -> list[str]:
    """Returns a name in C for each text of a query; the names differ, in capitals too.

    Parameters
    ----------
    texts : sequence of str
    top : str
        Prefix of the header's macros, see :func:`c_name`.
    ends : sequence of str
        Suffixes, such as ``_SCALE``, of further macros that begin with each name. No name plus a
        suffix equals another name.
    """
    names: list[str] = []
    used: set[str] = set()
    for text in texts:
        name = c_name(text, top)
        unused, number = name, 2
        while used & (macros := {f"{unused}{end}".upper() for end in ("", *ends)}):
            unused, number = f"{name}_{number}", number + 1
        used |= macros
        names.append(unused)
    return names
