"""The engines, a folder for each: ``options`` says what can be built, ``design`` what it is then,
``core`` builds it. ``parts`` is what several of them share."""

from rtl.engine import group_by, pane, streamzip, swag, two_stacks, window_id

#: Every engine by its name on the command line; of those that can run a query the first is taken.
ENGINES = {
    module.ENGINE.name: module.ENGINE
    for module in (group_by, swag, pane, window_id, two_stacks, streamzip)
}
