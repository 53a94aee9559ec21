"""The engines: each one a frozen parameter class that validates itself, predicts, and creates."""

from rtl.engine.group_by import GroupByParameters
from rtl.engine.pane import PaneParameters
from rtl.engine.swag import SwagParameters
from rtl.engine.two_stacks import TwoStacksParameters
from rtl.engine.window_id import WindowIdParameters

#: Every engine by its name on the command line; of those that can run a query the first is taken.
ENGINES = {
    parameters.engine: parameters
    for parameters in (
        GroupByParameters,
        SwagParameters,
        PaneParameters,
        WindowIdParameters,
        TwoStacksParameters,
    )
}
