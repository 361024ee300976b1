"""Every word that the table says when something is wrong, taken from the code that says it.

What is filled in stands as an ellipsis: ``No reader for …: enter the cards here.``
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tablepi

PACKAGE = Path(tablepi.__file__).parent

DISPLAY = {
    "views/words.py": ("missing_in_words", "notice_in_words", "_question"),
    "views/scene.py": ("_alerts",),
    "views/questions.py": ("asked",),
    "loop.py": ("_alerts",),
}
"""Functions that say what is wrong on the display, by their files."""

RECORD = {"views/words.py": ("trouble_in_words",)}
"""Those that say why the record is not kept."""

RAISED = ("DeviceLost", "Missing", "Stalled", "OSError", "_lost")
"""What is called with a reason why a device is missing."""

FUNCTIONS = {
    "devices/camera.py": ("_silence", "_frozen"),
    "devices/gpio.py": ("cannot_have",),
    "devices/pcsc.py": ("_check",),
    "devices/pn532.py": ("_translated", "_who"),
    "devices/rpicam.py": ("_heed",),
    "devices/supervisor.py": ("_run",),
    "vision/eye.py": ("_where",),
    "vision/markers.py": ("why",),
}
"""Functions that make such a reason from parts, by their files."""

TABLES = ("_WHY", "_MEANING", "_SILENCE", "_ECHO", "_TRY", "OVER", "MOVED")
"""Names of such reasons, and of tables of them."""


def spoken(where: dict[str, tuple[str, ...]]) -> list[str]:
    """The texts that go through ``say`` in these functions, as the catalogues have them."""
    return list(dict.fromkeys(text for file, names in where.items() for text in _said(file, names)))


def _said(file: str, names: tuple[str, ...]) -> Iterator[str]:
    functions = [n for n in ast.walk(_tree(file)) if isinstance(n, ast.FunctionDef) and n.name in names]
    assert {function.name for function in functions} == set(names), f"{file} has no such function any more"
    for node in (node for function in functions for node in ast.walk(function)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "say":
            text = node.args[0]
            if isinstance(text, ast.Constant) and len(text.value.strip()) > 3:  # no " or "
                yield text.value


def reasons() -> list[str]:
    """Why a device is missing, as its driver says it."""
    found: dict[str, None] = {}
    for file in (*sorted((PACKAGE / "devices").glob("*.py")), PACKAGE / "vision" / "eye.py"):
        for node in ast.walk(_tree(str(file.relative_to(PACKAGE)))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in RAISED:
                found |= dict.fromkeys(map(_bare, _texts(node.args[0] if node.args else None)))
            elif isinstance(node, ast.Assign) and any(getattr(t, "id", "") in TABLES for t in node.targets):
                found |= dict.fromkeys(map(_bare, _values(node.value)))
    for node in (
        node for file, names in FUNCTIONS.items() for name in names for node in ast.walk(_function(file, name))
    ):
        if isinstance(node, ast.Return | ast.Assign | ast.AugAssign):
            found |= dict.fromkeys(map(_bare, _texts(node.value)))
    return [text for text in found if len(re.findall(r"[a-z]", text)) > 4]


def plain(text: str) -> str:
    """A text of the catalogues with what is filled in as an ellipsis."""
    return re.sub(r"\{\w+\}", "…", text)


def _tree(file: str) -> ast.Module:
    return ast.parse((PACKAGE / file).read_text(encoding="utf-8"))


def _function(file: str, name: str) -> ast.FunctionDef:
    return next(n for n in ast.walk(_tree(file)) if isinstance(n, ast.FunctionDef) and n.name == name)


def _values(node: ast.expr) -> Iterator[str]:
    for each in node.values if isinstance(node, ast.Dict) else (node,):
        yield from _texts(each)


def _texts(node: ast.expr | None) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.BinOp):
        yield from _texts(node.left)
    elif isinstance(node, ast.BoolOp):
        for each in node.values:
            yield from _texts(each)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # {…}.get(code): any of that table
        yield from _values(node.func.value)


def _bare(text: str) -> str:
    """A reason without the name of the device before it, and without what the system says behind it."""
    return re.sub(r"^(… ?(\(…\))?: ?)+|(: …)+$", "", text).strip(" ,")
