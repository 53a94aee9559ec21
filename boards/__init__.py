"""Boards that a design runs on, with their clocks and their build files."""

from boards.arty_a7 import ARTY_A7
from boards.de5net import De5Net
from boards.de10_nano import DE10_NANO
from boards.ecpix5 import ECPIX5_85
from boards.generic import Generic
from boards.ml605 import Ml605
from boards.ultra96 import Ultra96V2
from boards.ulx3s import ULX3S_85
from boards.versa_ecp5 import VERSA_ECP5

_PLATFORM_BOARDS = (VERSA_ECP5, ECPIX5_85, ULX3S_85, ARTY_A7, DE10_NANO)
#: Every board by its name on the command line.
BOARDS = {
    board.name: board for board in (Ultra96V2(), De5Net(), Ml605(), *_PLATFORM_BOARDS, Generic())
}
