"""An engine's registers by name: identity, settings, counters, errors, reset."""

from .errors import DeviceError, HangError, HostError, SettingError
from .rules import broken_rule, settings_of

#: Names of the field for settings of the register map.
TERMS = {"ws": "size", "wa": "slide"}
_SOFT_RESET, _SNAPSHOT = 1, 2
#: Reads of ``status`` after a soft reset, before it is given up.
_PATIENCE = 10_000


class Control:
    """The registers of an engine.

    Parameters
    ----------
    description : Description
    backend : Backend

    Attributes
    ----------
    values : dict of str to int
        Raw numbers of the settings that were written, by the names of the settings.
    """

    def __init__(self, description, backend):
        self._told, self._backend = description, backend
        self.values = {}

    def close(self):
        """Lets go of the back end; every call that reads or writes raises HostError from now on."""
        self._backend = None

    def check_open(self):
        """Raises HostError after :meth:`close`."""
        if self._backend is None:
            raise HostError(
                f"the engine {self._told.name} is closed: open it again with Engine.open"
            )

    def read(self, name):
        """Returns a register, by name."""
        self.check_open()
        return self._backend.read(self._told.registers[name])

    def write(self, name, value):
        """Writes a register, by name."""
        self.check_open()
        self._backend.write(self._told.registers[name], value)

    def check(self):
        """Raises DeviceError unless the engine of the description answers."""
        magic, wanted = self.read("magic"), int(self._told.host["magic"], 16)
        if magic != wanted:
            raise DeviceError(
                f"no engine answers: magic reads {magic:#010x}, not {wanted:#010x}; load the "
                "bitstream, take aresetn away, and give the address of s_axil"
            )
        found = self.read("configuration")
        if found != self._told.configuration:
            raise DeviceError(
                f"another design answers: configuration reads {found:#010x}, that of "
                f"{self._told.directory} is {self._told.configuration:#010x}; load its bitstream, "
                "or open the directory of the design that is loaded"
            )

    def set(self, name, value):
        """Writes a setting, in its own units.

        Raises SettingError for one that there is not, or that is not allowed by itself.
        """
        self.put(self.setting(name).name, self.raw(name, value))

    def put(self, name, raw):
        """Writes the raw number of a setting, which :meth:`raw` has checked."""
        for k, register in enumerate(self._told.settings[name].registers):
            self.write(register, raw >> 32 * k & 0xFFFF_FFFF)
        self.values[name] = raw

    def check_together(self, values):
        """Raises SettingError unless raw numbers of settings go together, as the manifest says.

        A stream with numbers that do not is dropped whole by the hardware.
        """
        rule = broken_rule(self._told.host.get("rules", ()), values)
        if rule is not None:
            names = [name for name in self._told.settings if name in settings_of(rule)]
            shown = ", ".join(f"{_term(name)} is {self._text(name, values)}" for name in names)
            raise SettingError(f"{rule['says']}; {shown}: the engine would drop the stream")

    def _text(self, name, values):
        fraction = self._told.settings[name].fraction
        return f"{values[name] / (1 << fraction):g}" if fraction else str(values[name])

    def raw(self, name, value):
        """Returns the raw number of a setting for a value in its own units; nothing is written.

        Raises SettingError as :meth:`set` does.
        """
        setting = self.setting(name)
        raw = _scaled(name, value, setting.fraction)
        low, high = setting.least, setting.most
        if not low <= raw <= high or raw % setting.multiple:
            scale = 1 << setting.fraction
            limits = (
                f"from {low / scale:g} to {high / scale:g}"
                if scale > 1
                else (f"from {low} to {high}")
            )
            by = f" and a multiple of {setting.multiple}" if setting.multiple > 1 else ""
            raise SettingError(f"{name} must be {limits}{by}, not {value}: {setting.doc}")
        return raw

    def setting(self, name):
        """What is known of a setting; the field's own words for some are known, too."""
        settings = self._told.settings
        found = settings.get(name) or settings.get(TERMS.get(name))
        if found is None:
            those = ", ".join(settings) or "none: generate it with constants=host"
            raise SettingError(f"{name} is no setting of {self._told.name}; it has {those}")
        return found

    @property
    def busy(self):
        """Whether anything is inside."""
        return bool(self.read("status") >> self._told.host["busy"] & 1)

    def errors(self):
        """The error bits that are set: what each means, by name."""
        status = self.read("status")
        return {e["name"]: e["doc"] for e in self._told.errors if status >> e["bit"] & 1}

    def counters(self):
        """All counters, as they were in one cycle, by name."""
        self.write("control", _SNAPSHOT)
        told = {}
        for counter in self._told.counters:
            low, high = (self.read(f"{counter['name']}_{half}") for half in ("low", "high"))
            told[counter["name"]] = high << 32 | low
        self.write("control", 0)
        return told

    def reset(self):
        """A soft reset: what is inside is dropped, counters and errors are cleared."""
        self.write("control", _SOFT_RESET)
        for _ in range(_PATIENCE):
            busy = self.busy
            self._backend.discard()
            if not busy:
                return
        raise HangError(
            f"busy is still set after {_PATIENCE} reads: a stream that has begun has not come to "
            "its end, or a memory does not answer; give the rest of the stream, or use aresetn"
        )


def _term(name):
    """The name of a setting, with the field's own word for it, such as ``slide (wa)``."""
    words = [word for word, setting in TERMS.items() if setting == name]
    return f"{name} ({words[0]})" if words else name


def _scaled(name, value, fraction):
    """A setting as a whole number of its units."""
    try:
        raw = value * (1 << fraction)
        if raw == int(raw):
            return int(raw)
    except (TypeError, ValueError, OverflowError):
        pass
    by = f" or a multiple of {1 / (1 << fraction):g}" if fraction else ""
    raise SettingError(f"{name} must be a whole number{by}, not {value!r}")
