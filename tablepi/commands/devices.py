"""``tablepi devices``: what is plugged in, by the names that stay, and the line of each for the table's file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from ..config import Config, load_config
from ..facts import dumps
from ..machine.host import Host
from ..machine.plugged import KINDS, Plugged, absent, everything, with_lines
from ..views.words import legible


def devices(file: Path | None, *, json: bool, host: Host, out: TextIO) -> int:
    """Print what is there; with the table's *file* also what of it the table uses, and what that names and is not
    there. Returns 0. Raises BadConfig when the file cannot be used; a
    pin map that is not there yet is no matter here."""
    config = load_config(file, pins_wanted=False) if file is not None else Config()
    found = with_lines(everything(host), host, config)
    away = absent(host, config, found)
    if json:
        for each in found:
            print(dumps(_plain(each, of_a_table=file is not None)), file=out)
        for what, device in away:
            print(dumps({"kind": "absent", "name": device, "used": what}), file=out)
        return 0
    for kind, heading in KINDS.items():
        of_kind = [each for each in found if each.kind == kind]
        if of_kind:
            print(f"{heading}:", file=out)
            _tell(of_kind, out, used_by="used here by" if file is not None else "")
    if not found:
        print("Nothing is plugged in that a table could use.", file=out)
    if away:
        print(f"named in {file} and not there:", file=out)
    for what, device in away:
        print(f"  {device}  {what}", file=out)
    return 0


def _tell(found: Sequence[Plugged], out: TextIO, *, used_by: str) -> None:
    for each in found:
        node = f" ({each.node})" if each.node and each.node != each.name else ""
        print(f"  {each.name}{node}  {legible(each.what)}".rstrip(), file=out)
        if each.note:
            print(f"      {each.note}", file=out)
        if each.used:
            print(f"      {used_by} {each.used}", file=out)
        elif each.line:
            print(f"      {each.line}", file=out)


def _plain(each: Plugged, *, of_a_table: bool) -> dict[str, object]:
    told: dict[str, object] = {"kind": each.kind, "name": each.name, "node": each.node or None, "what": each.what}
    if each.usb is not None:
        told["usb"] = f"{each.usb.vendor}:{each.usb.product}"
        told["serial"] = each.usb.serial or None
    told |= {"line": each.line or None, "note": each.note or None}
    return told | {"used": each.used or None} if of_a_table else told
