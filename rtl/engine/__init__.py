"""The engines: each one a frozen parameter class that validates itself, predicts, and creates."""

from rtl.engine.group_by import GroupByParameters

#: Every engine by its name on the command line.
ENGINES = {parameters.engine: parameters for parameters in (GroupByParameters,)}
