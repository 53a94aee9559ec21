"""Boards that a design runs on, with their clocks and their build files."""

from boards.de5net import De5Net
from boards.generic import Generic
from boards.ml605 import Ml605
from boards.ultra96 import Ultra96V2

#: Every board by its name on the command line.
BOARDS = {board.name: board for board in (Ultra96V2(), De5Net(), Ml605(), Generic())}
