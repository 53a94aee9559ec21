"""Checks the limits of a link's addresses, and the register writes of both ends."""

from dataclasses import replace

import pytest

from boards.platforms.link import Link
from gen.design.build import resolve
from query.errors import UserError
from rtl.bus.top_registers import registers_of

QUERY = "examples/cluster_groupby.toml"


def test_writes_by_hand():
    """Addresses and values are those of docs/network.md; the board's MAC is last."""
    link = Link(
        mac="02:11:22:33:44:55", address="192.168.1.50", port=4000,
        to_mac="02:aa:bb:cc:dd:ee", to_address="192.168.1.1", to_port=65535,
    )  # fmt: skip
    assert link.writes() == (
        (0xFC8, 0xC0A80132),
        (0xFCC, 4000),
        (0xFD0, 0xBBCCDDEE),
        (0xFD4, 0x02AA),
        (0xFD8, 0xC0A80101),
        (0xFDC, 65535),
        (0xFC0, 0x22334455),
        (0xFC4, 0x0211),
    )
    with_registers = replace(link, registers_port=99).writes(host_link=True)
    assert sorted(with_registers) == sorted((*link.writes(), (0xF80, 99)))
    assert with_registers[-2:] == link.writes()[-2:]


def test_registers_are_those_of_a_top():
    design = resolve(QUERY, options=["network=true"]).design
    registers = {register.address: name for name, register in registers_of(design).items()}
    names = [registers[address] for address, _ in Link().writes()]
    assert names == [
        "address", "port", "to_mac_low", "to_mac_high", "to_address", "to_port",
        "mac_low", "mac_high",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "links"),
    [
        ([], True),
        (["host_link=true"], True),
        (["host_link=false"], False),
        (["network=true"], True),
        (["network=false"], None),
    ],
)
def test_a_board_with_ethernet_has_a_link_to_a_host(options, links):
    """A design on the board has a network face and the host link, unless options refuse them.

    ``links`` is True with both, False with the network face only, and None with neither.
    """
    build = resolve(QUERY, board="versa-ecp5", options=options)
    assert (build.link is not None) == (links is not None)
    assert build.design.face.network == (links is not None)
    assert build.design.face.host_link == build.ports.host_link == bool(links)
    assert build.refused is None


def test_a_link_to_a_host_needs_a_network():
    with pytest.raises(UserError, match="host_link must not be true without network=true"):
        resolve(QUERY, options=["host_link=true"])
    with pytest.raises(UserError, match="host_link must not be true without network=true"):
        resolve(QUERY, board="versa-ecp5", options=["network=false", "host_link=true"])


def test_a_port_of_registers_needs_the_link():
    with pytest.raises(UserError, match="registers_port must not be given without host_link=true"):
        resolve(QUERY, board="versa-ecp5", options=["registers_port=1300", "host_link=false"])
    linked = ["registers_port=1300"]
    assert resolve(QUERY, board="versa-ecp5", options=linked).link.registers_port == 1300


@pytest.mark.parametrize("option", ["mac=02:00:00:00:00:09", "to_port=99", "baud=9600"])
def test_options_of_a_link_need_the_link(option):
    board = "ulx3s-85" if option.startswith("baud") else "versa-ecp5"
    with pytest.raises(UserError, match="must not be given: the design has no link"):
        resolve(QUERY, board=board, options=["network=false", option])
    build = resolve(QUERY, board=board, options=[option])
    name, value = option.split("=")
    part = build.board.serial if name == "baud" else build.link
    assert str(getattr(part, name)) == value


def test_the_ports_of_a_link_differ():
    message = "registers_port must not be 1234, which is the port of tuples"
    with pytest.raises(UserError, match=message):
        resolve(QUERY, board="versa-ecp5", options=["port=1234"])
    without_registers = ["port=1234", "host_link=false"]
    assert resolve(QUERY, board="versa-ecp5", options=without_registers).link.port == 1234


def test_the_clock_carries_the_frames_of_the_wire():
    message = r"clock_mhz must be at least 15\.625 for frames of 1000 Mb/s, not 15\.6"
    with pytest.raises(UserError, match=message):
        resolve(QUERY, board="versa-ecp5", options=["clock_mhz=15.6"])
    for options in (["clock_mhz=15.625"], ["clock_mhz=10", "network=false"]):
        resolve(QUERY, board="versa-ecp5", options=options)
    resolve(QUERY, board="arty-a7", options=["clock_mhz=10"])  # 100 Mb/s


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mac": "02:11:22:33:44"}, "mac must be six bytes"),
        ({"mac": "02-11-22-33-44-55"}, "mac must be six bytes"),
        ({"mac": "02:11:22:33:44:5G"}, "mac must be six bytes"),
        ({"mac": 7}, "mac must be six bytes"),
        ({"mac": "ff:ff:ff:ff:ff:ff"}, "mac must be of one machine"),
        ({"mac": "01:00:5e:00:00:01"}, "mac must be of one machine"),
        ({"mac": "00:00:00:00:00:00"}, "mac must not be 0"),
        ({"to_mac": "00:00:00:00:00:00"}, "to_mac must not be 0"),
        ({"address": "10.0.0"}, "address must be an IPv4 address"),
        ({"address": 167772161}, "address must be an IPv4 address"),
        ({"address": "0.0.0.1"}, "address must be the address of one machine"),
        ({"address": "240.0.0.1"}, "address must be the address of one machine"),
        ({"address": "127.0.0.1"}, "address must be the address of one machine"),
        ({"to_address": "224.0.0.1"}, "to_address must be the address of one machine"),
        ({"to_address": "255.255.255.255"}, "to_address must be the address of one machine"),
        ({"to_address": "10.0.0.1"}, "to_address must not be 10.0.0.1, the address of the board"),
        ({"address": "10.0.0.2"}, "to_address must not be 10.0.0.2, the address of the board"),
        ({"registers_port": 0}, "registers_port must be from 1 to 65535, not 0"),
        ({"port": 0}, "port must be from 1 to 65535, not 0"),
        ({"to_port": 65536}, "to_port must be from 1 to 65535, not 65536"),
    ],
)
def test_wrong_addresses_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        Link(**values)


def test_the_last_address_below_those_of_groups_is_of_one_machine():
    assert Link(address="223.255.255.255").numbers()["address"] == 0xDFFF_FFFF


def test_a_receiver_may_be_every_machine():
    assert Link(to_mac="ff:ff:ff:ff:ff:ff").numbers()["to_mac"] == 0xFFFF_FFFF_FFFF


def test_a_port_that_is_no_number():
    with pytest.raises(TypeError, match="port must be an integer"):
        Link(port="4001")
