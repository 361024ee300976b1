"""The unit is one that systemd accepts without a word, and it starts the program the way the program is started."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "systemd"
UNIT = (SYSTEMD / "tablepi.service").read_text(encoding="utf-8")
README = (SYSTEMD / "README.md").read_text(encoding="utf-8")
SYSUSERS = (SYSTEMD / "sysusers-tablepi.conf").read_text(encoding="utf-8")
TIMEOUT_S = 60

# The commands of the program, and the options of `tablepi run`.
COMMANDS = {
    *("run", "demo", "referee", "recognise", "watch", "rules", "games", "show", "export", "import", "review", "check"),
    *("devices", "doctor", "calibrate", "enrol", "config"),
}
RUN_OPTIONS = {"--config", "--virtual", "--headless", "--new"}


def settings(name: str) -> list[str]:
    """The values of each line *name*``=`` of the unit."""
    return re.findall(rf"^{re.escape(name)}=(.*)$", UNIT, re.MULTILINE)


def setting(name: str) -> str:
    (value,) = settings(name)
    return value


def environment() -> dict[str, str]:
    pairs = (word.partition("=") for line in settings("Environment") for word in shlex.split(line))
    return {name: value for name, _, value in pairs}


def run_tool(*command: str) -> subprocess.CompletedProcess[str]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed here: the unit was not checked with it")
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


def test_systemd_has_nothing_to_say_about_the_unit(tmp_path):
    # The program is not installed in /opt here, and the tests may stand in a folder that others cannot read: a command
    # that every system has takes its place.
    unit = tmp_path / "tablepi.service"
    unit.write_text(UNIT.replace("/opt/tablepi/.venv/bin/tablepi", "/usr/bin/env"))
    found = run_tool("systemd-analyze", "verify", str(unit))
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_systemd_would_complain_about_a_misspelt_setting(tmp_path):
    unit = tmp_path / "tablepi.service"
    unit.write_text(
        UNIT.replace("/opt/tablepi/.venv/bin/tablepi", "/usr/bin/env").replace("WatchdogSec", "WatchdogSecs")
    )
    found = run_tool("systemd-analyze", "verify", str(unit))
    assert "WatchdogSecs" in found.stderr


def test_the_service_may_do_little():
    found = run_tool(
        "systemd-analyze", "security", "--offline=true", "--threshold=30", str(SYSTEMD / "tablepi.service")
    )
    assert found.returncode == 0, found.stdout.splitlines()[-1:]


def test_every_group_of_the_service_is_made_and_joined(tmp_path):
    groups = setting("SupplementaryGroups").split()
    assert re.findall(r"^g (\S+)", SYSUSERS, re.MULTILINE) == groups
    assert re.findall(r"^m tablepi (\S+)", SYSUSERS, re.MULTILINE) == groups
    found = run_tool("systemd-sysusers", "--dry-run", f"--root={tmp_path}", str(SYSTEMD / "sysusers-tablepi.conf"))
    assert found.returncode == 0, found.stderr
    made = re.findall(r"Creating group '(\w+)'", found.stdout + found.stderr)
    assert set(made) == {*groups, "tablepi"}


def test_the_service_starts_the_table_with_its_configuration():
    assert shlex.split(setting("ExecStart")) == [
        "/opt/tablepi/.venv/bin/tablepi",
        "run",
        "--config",
        "/etc/tablepi/table.yaml",
    ]


def test_the_program_has_each_option_that_the_service_gives_it():
    given = {word for word in shlex.split(setting("ExecStart")) if word.startswith("--")}
    assert given <= RUN_OPTIONS
    if importlib.util.find_spec("tablepi.cli") is None:
        pytest.skip("there is no command line yet to ask")
    asked = run_tool(
        sys.executable, "-c", "import sys; from tablepi.cli import main; sys.exit(main())", "run", "--help"
    )
    assert asked.returncode == 0, asked.stderr
    assert given <= set(re.findall(r"--[a-z-]+", asked.stdout))


def test_the_loop_is_watched_and_comes_back():
    assert {name: setting(name) for name in ("Type", "NotifyAccess", "WatchdogSec", "Restart", "User")} == {
        "Type": "notify",
        "NotifyAccess": "main",
        "WatchdogSec": "20",
        "Restart": "always",
        "User": "tablepi",
    }
    assert setting("StartLimitIntervalSec") == "0"


def test_lgpio_can_write_where_it_works():
    assert setting("RuntimeDirectory") == "tablepi"
    assert setting("WorkingDirectory") == environment()["LG_WD"] == "%t/tablepi"


def test_the_screen_is_drawn_without_a_desktop_and_not_black():
    assert {name: value for name, value in environment().items() if name.startswith("SDL_")} == {
        "SDL_VIDEODRIVER": "kmsdrm",
        "SDL_RENDER_DRIVER": "opengles2",
        "SDL_FRAMEBUFFER_ACCELERATION": "opengles2",
    }


def test_the_table_has_the_first_console_to_itself():
    assert setting("Conflicts") == "getty@tty1.service"
    assert setting("TTYPath") == "/dev/tty1"
    assert "/dev/tty1 rw" in settings("DeviceAllow")


@pytest.mark.parametrize("device", ["drm", "input", "gpiochip", "spi", "ttyUSB", "ttyACM", "ttyAMA", "video4linux"])
def test_a_device_of_the_table_can_be_opened(device):
    assert setting("DevicePolicy") == "closed"
    assert any(allowed.startswith(f"char-{device} r") for allowed in settings("DeviceAllow"))


def test_the_install_notes_use_files_and_targets_that_exist():
    copied = re.findall(r"sudo cp (\S+) ", README)
    assert copied
    assert [name for name in copied if not (ROOT / name).is_file()] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    stamp = re.search(r"^STAMP := \$\(VENV\)/(\S+)$", makefile, re.MULTILINE)
    venv = re.search(r"^VENV := (\S+)$", makefile, re.MULTILINE)
    assert stamp is not None
    assert venv is not None
    assert set(re.findall(r"sudo make (\S+)", README)) == {f"{venv[1]}/{stamp[1]}", "test`"}


def test_the_install_notes_put_everything_where_the_service_looks():
    program, *_, config = shlex.split(setting("ExecStart"))
    assert f"sudo git clone ADDRESS {program.removesuffix('/.venv/bin/tablepi')}\n" in README
    assert f"sudo cp hardware/table-four-seats.yaml {config}\n" in README
    assert f"/var/lib/{setting('StateDirectory')}" in README
    assert setting("EnvironmentFile") == "-/etc/tablepi/environment"
    assert "/etc/tablepi/environment" in README


def test_the_install_notes_use_commands_that_the_program_has():
    used = re.findall(r"bin/tablepi (?:--store \S+ )?([a-z]+)", README)
    assert len(used) >= 3
    assert set(used) <= COMMANDS
