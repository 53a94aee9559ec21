"""The engines, a folder for each.

In each folder, ``options`` declares the build options, ``design`` describes the hardware for one
query, and ``core`` builds the hardware. The folder ``parts`` contains components and plans that
several engines share.
"""

from rtl.engine import group_by, pane, streamzip, swag, two_stacks, window_id

#: Every engine by its name on the command line. The first engine that can run a query is chosen.
ENGINES = {
    module.ENGINE.name: module.ENGINE
    for module in (group_by, swag, pane, window_id, two_stacks, streamzip)
}
