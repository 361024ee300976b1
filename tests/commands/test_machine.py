"""``devices`` and ``doctor`` as programs of their own, on this machine."""

from __future__ import annotations

import json

import pytest

from .conftest import tablepi


@pytest.mark.parametrize("command", ["devices", "doctor", "test hardware"])
def test_a_file_that_is_not_there_is_bad_input(command, tmp_path):
    said = tablepi(*command.split(), "--config", tmp_path / "none.yaml")
    assert (said.status, said.out) == (2, "")
    assert said.err == f"tablepi: {tmp_path / 'none.yaml'}: there is no such file\n"


def test_devices_lists_what_is_here_and_ends_with_0():
    told, plain = tablepi("devices", "--json"), tablepi("devices")
    assert (told.status, told.err, plain.status, plain.err) == (0, "", 0, "")
    names = [json.loads(line)["name"] for line in told.out.splitlines()]
    assert all(f"  {name}" in plain.out for name in names)
    assert names or plain.out == "Nothing is plugged in that a table could use.\n"


def test_doctor_says_of_a_reader_that_is_not_there_and_ends_with_1(tmp_path):
    file, port = tmp_path / "table.yaml", "/dev/serial/by-id/usb-None-if00-port0"
    file.write_text(f"players: [A, B]\nreaders: [{{name: r, port: {port}, seat: 0}}]\n")
    told = tablepi("--store", tmp_path / "store", "doctor", "--config", file, "--json")
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert (told.status, told.err) == (1, "")
    assert [line for line in lines if line["check"] == "devices-there"] == [
        {
            "check": "devices-there",
            "verdict": "mend",
            "text": f"{port} (reader r) is not there",
            "mend": "plug it in, or put in what `tablepi devices` shows",
        }
    ]
    verdicts = {line["check"]: line["verdict"] for line in lines}
    assert (verdicts["store-writable"], verdicts["models"], verdicts["numpy-abi"]) == ("ok", "ok", "ok")
