"""The files for udev, polkit, modprobe and the firmware are such as those read, and name what the tables name."""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise

import pytest

from hardware.wiring import HERE, UARTS
from tablepi.config import load_config

UDEV = (HERE / "99-tablepi.rules").read_text(encoding="utf-8")
POLKIT = (HERE / "polkit-tablepi.rules").read_text(encoding="utf-8")
SYSUSERS = (HERE.parent / "systemd" / "sysusers-tablepi.conf").read_text(encoding="utf-8")

# Of udev(7): what is compared, and what is assigned.
MATCHES = {"SUBSYSTEM", "KERNEL", "KERNELS", "ENV"}
ASSIGNS = {"GROUP": "=", "MODE": "=", "SYMLINK": "+=", "TAG": "+=", "ENV": "="}
CLAUSE = re.compile(r'(\w+)(\{\w+\})?(==|=|\+=)"([^"]+)"')

Rule = list[tuple[str, str, str]]


def rules(text: str = UDEV) -> list[Rule]:
    """Each rule as its clauses: key (with what it is asked of), operator, value."""
    found = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            clauses = [CLAUSE.fullmatch(clause) for clause in line.split(", ")]
            assert all(clauses), line
            found.append([(c[1] + (c[2] or ""), c[3], c[4]) for c in clauses if c])
    return found


def names(asked: dict[str, str]) -> list[str]:
    """The links that a device gets of which *asked* is what udev knows."""
    links = []
    for rule in rules():
        tests = [(key, value) for key, operator, value in rule if operator == "=="]
        if all(any(fnmatch.fnmatchcase(asked.get(key, ""), one) for one in value.split("|")) for key, value in tests):
            links += [value for key, _, value in rule if key == "SYMLINK"]
    return links


# --- udev -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: " ".join(value for _, _, value in rule)[:60])
def test_a_rule_of_udev_matches_first_and_assigns_then_by_keys_that_udev_has(rule):
    operators = [operator for _, operator, _ in rule]
    assert operators == sorted(operators, key=lambda operator: operator != "==")
    assert operators[0] == "=="
    assert operators[-1] != "=="
    for key, operator, value in rule:
        bare = key.partition("{")[0]
        if operator == "==":
            assert bare in MATCHES
        else:
            assert ASSIGNS[bare] == operator
        if bare == "MODE":
            assert value == "0660"


def test_udev_itself_has_nothing_to_say():
    tool = shutil.which("udevadm")
    if tool is None or "verify" not in subprocess.run([tool, "--help"], capture_output=True, text=True).stdout:
        pytest.skip("there is no udevadm that verifies here (systemd 254 or newer)")
    done = subprocess.run(
        [tool, "verify", "--resolve-names=never", str(HERE / "99-tablepi.rules")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def usb(path: str) -> dict[str, str]:
    return {"SUBSYSTEM": "tty", "KERNEL": "ttyUSB0", "ENV{ID_BUS}": "usb", "ENV{ID_PATH}": path}


@pytest.mark.parametrize(
    ("path", "links"),
    [
        ("platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.2.1:1.0", ["tablepi/reader-0"]),
        ("platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.2.4:1.0", ["tablepi/reader-3"]),
        ("platform-xhci-hcd.0-usb-0:1.2:1.0", ["tablepi/reader-1"]),
        ("platform-xhci-hcd.0-usbv2-0:1.3:1.0", ["tablepi/reader-2"]),
        ("platform-xhci-hcd.0-usb-0:1:1.0", []),
        ("platform-xhci-hcd.0-usb-0:1.5:1.0", []),
        ("platform-xhci-hcd.0-usb-0:1.1:1.2", []),
    ],
    ids=["hub, Pi 4", "last socket", "hub, Pi 5", "newer udev", "no hub", "socket 5", "another interface"],
)
def test_a_reader_on_usb_is_named_by_its_socket(path, links):
    assert names(usb(path)) == links


@pytest.mark.parametrize("seat", range(4))
def test_a_reader_on_a_uart_is_named_by_its_address_on_either_pi(seat):
    for address in (UARTS[seat].pi4_device, UARTS[seat].pi5_device):
        asked = {"SUBSYSTEM": "tty", "KERNEL": "ttyAMA3", "KERNELS": address}
        assert names(asked) == [f"tablepi/reader-{seat}"]


@pytest.mark.parametrize("address", ["fe201400.serial", "107d001000.serial", "1f00034000.serial"])
def test_a_uart_that_has_no_reader_gets_no_name(address):
    assert names({"SUBSYSTEM": "tty", "KERNEL": "ttyAMA10", "KERNELS": address}) == []


def test_the_ports_of_the_examples_are_names_that_the_rules_give():
    ports = {
        reader.port
        for file in HERE.glob("table-*.yaml")
        for reader in load_config(file).readers
        if reader.port is not None and reader.port.startswith("/dev/tablepi/")
    }
    given = {f"/dev/{value}" for rule in rules() for key, _, value in rule if key == "SYMLINK"}
    assert ports == given


def test_every_group_is_one_that_the_service_is_in():
    groups = {value for rule in rules() for key, _, value in rule if key == "GROUP"}
    assert groups == {"dialout", "gpio", "spi", "input", "video"}
    assert groups <= set(re.findall(r"^m tablepi (\S+)", SYSUSERS, re.M))


def test_each_kind_of_device_is_opened_to_its_group():
    given = {}
    for rule in rules():
        told = {key: value for key, _, value in rule}
        if "GROUP" in told:
            given[told["SUBSYSTEM"]] = told["GROUP"]
    assert given == {
        "tty": "dialout",
        "gpio": "gpio",
        "spidev": "spi",
        "input": "input",
        "video4linux": "video",
        "media": "video",
        "dma_heap": "video",
    }


def test_a_rule_that_is_misspelt_is_found():
    with pytest.raises(AssertionError):
        rules('SUBSYSTEM=="tty" GROUP="dialout"')


# --- polkit ---------------------------------------------------------------------------------------------------------

ASK = """
const vm = require("vm"), fs = require("fs");
let rule = null;
const polkit = {addRule: (given) => { rule = given; }, Result: {YES: "yes", NOT_HANDLED: null}};
vm.runInNewContext(fs.readFileSync(0, "utf8"), {polkit});
const asked = JSON.parse(process.argv[1]);
console.log(JSON.stringify(asked.map(([id, user]) => rule({id: id}, {user: user}))));
"""


def test_the_services_user_may_ask_pcscd_and_nobody_is_given_anything_else():
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no JavaScript (node) here to run the rule with")
    asked = [
        ("org.debian.pcsc-lite.access_pcsc", "tablepi"),
        ("org.debian.pcsc-lite.access_card", "tablepi"),
        ("org.debian.pcsc-lite.access_card", "somebody"),
        ("org.freedesktop.login1.reboot", "tablepi"),
    ]
    done = subprocess.run(
        [node, "-e", ASK, json.dumps(asked)], input=POLKIT, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == ["yes", "yes", None, None]


def test_the_rule_of_polkit_names_the_services_user_and_both_of_pcscds_actions():
    code = re.sub(r"^//.*$", "", POLKIT, flags=re.M)
    assert re.findall(r'"(.+?)"', code) == [
        "org.debian.pcsc-lite.access_pcsc",
        "org.debian.pcsc-lite.access_card",
        "tablepi",
    ]
    assert re.search(r"^u tablepi ", SYSUSERS, re.M)
    for left, right in ("()", "{}", "[]"):
        assert code.count(left) == code.count(right)
    assert not re.search(r"=>|\blet\b|\bconst\b", code)  # older polkits know no newer JavaScript


# --- modprobe, the firmware -----------------------------------------------------------------------------------------


def settings(name: str) -> list[str]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_the_kernels_own_driver_of_the_acr122u_is_kept_out():
    assert settings("modprobe-tablepi.conf") == ["blacklist pn533_usb", "blacklist pn533", "blacklist nfc"]


def sections(name: str) -> Iterator[tuple[str, list[str]]]:
    """The settings of a file for config.txt, by the model that each section is for."""
    lines = ["[all]", *settings(name), "[end]"]
    marks = [n for n, line in enumerate(lines) if line.startswith("[")]
    for begin, end in pairwise(marks):
        if lines[begin + 1 : end]:
            yield lines[begin], lines[begin + 1 : end]


def test_the_firmware_switches_on_the_uarts_that_are_wired():
    assert dict(sections("boot-pn532-uarts.txt")) == {
        "[pi4]": [line for uart in UARTS for line in uart.pi4],
        "[pi5]": [line for uart in UARTS for line in uart.pi5],
    }


def test_the_firmware_switches_on_spi_for_the_lamps():
    assert dict(sections("boot-ws2812.txt")) == {
        "[all]": ["dtparam=spi=on"],
        "[pi3]": ["core_freq=250"],
        "[pi4]": ["core_freq=500", "core_freq_min=500"],
    }


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("boot-*.txt")))
def test_what_is_added_to_the_firmwares_settings_concerns_nothing_that_follows(name):
    assert settings(name)[-1] == "[all]"


@pytest.mark.parametrize(
    "file", [*HERE.glob("boot-*.txt"), *HERE.glob("*.rules"), *HERE.glob("*.conf")], ids=lambda file: file.name
)
def test_every_file_says_how_it_is_installed(file):
    installs = re.findall(r"sudo (?:cp|tee -a .+? <) (hardware/\S+)", file.read_text(encoding="utf-8"))
    assert installs == [f"hardware/{file.name}"]
