"""The engines: each one a frozen parameter class that validates itself, predicts, and creates."""

from rtl.engine.group_by import GroupByParameters
from rtl.engine.swag import SwagParameters

#: Every engine by its name on the command line.
ENGINES = {parameters.engine: parameters for parameters in (GroupByParameters, SwagParameters)}
