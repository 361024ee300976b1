"""Imports run one way, and the core knows no clock, file, thread or device."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import tablepi

PACKAGE = Path(tablepi.__file__).parent
CORE = (
    *(
        "cards",
        "errors",
        "facts",
        "rules",
        "counting",
        "judge",
        "sight",
        "state",
        "passing",
        "auction",
        "absence",
        "scoring",
        "time_limits",
        "teaching",
        "pack",
    ),
    *("match", "table", "views"),
)
FORBIDDEN_IN_CORE = {
    "io",
    "os",
    "pathlib",
    "queue",
    "random",
    "sqlite3",
    "threading",
    "time",
    "datetime",
    "socket",
    "sys",
}

# What each part may import of tablepi; a part may always import itself.
ALLOWED: dict[str, set[str]] = {
    "cards": set(),
    "errors": set(),
    "frames": set(),
    "files": {"errors"},
    "facts": {"cards", "errors"},
    "rules": {"cards"},
    "counting": {"cards"},
    "judge": {"cards", "counting", "rules"},
    "sight": {"cards", "facts", "judge"},
    "state": {"cards", "facts", "judge", "rules"},
    "passing": {"cards", "facts", "judge", "rules", "state"},
    "scoring": {"cards", "facts", "judge", "rules", "state"},
    "auction": {"cards", "facts", "judge", "passing", "rules", "state"},
    "time_limits": {"cards", "rules", "state"},
    "absence": {"cards", "facts", "judge", "passing", "rules", "scoring", "state"},
    "match": {"absence", "auction", "cards", "facts", "judge", "passing", "rules", "scoring", "sight", "state"},
    "table": {"cards", "facts", "judge", "match", "rules", "sight", "state"},
    "views": {"cards", "facts", "judge", "passing", "rules", "state", "table"},
    "presets": {"cards", "errors", "rules", "config"},
    "language": {"errors", "views"},
    "notify": set(),
    "config": {"cards", "errors", "facts", "devices.roles", "devices.tags", "views.screen"},
    "teaching": {"cards", "facts"},
    "pack": {"cards"},
    "deck_file": {"cards", "config", "devices.tags", "errors", "files", "teaching"},
    "journal": {"cards", "errors", "facts", "files"},
    "pictures": {"errors"},
    "devices": {"cards", "errors", "facts", "frames", "pictures", "views"},
    "machine": {"config", "devices", "errors", "journal"},
    "display": {"cards", "errors", "facts", "files", "views"},
    "virtual": {"cards", "errors", "facts", "frames", "judge", "passing", "rules", "state", "table"},
    "vision": {"cards", "errors", "facts", "files", "frames", "pictures"},
    "recording": {"devices", "errors", "facts", "frames", "table", "views"},
    "loop": {"cards", "errors", "facts", "rules", "state", "table", "time_limits", "views"},
}
ANYTHING = ("cli", "commands")  # the composition root


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def part_of(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(module: Path) -> set[str]:
    """The modules that *module* imports, anywhere in it; those of tablepi begin with a dot."""
    package = module.relative_to(PACKAGE).with_suffix("").parts[:-1]
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            inner = (*base, *(node.module or "").split(".")) if node.module else base
            names |= {"." + ".".join(inner)} if node.module else {"." + ".".join((*base, a.name)) for a in node.names}
    return names


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_part_may(module):
    part = part_of(module)
    if part in (*ANYTHING, "__init__", "__main__"):
        return
    allowed = ALLOWED[part] | {part}
    own = {name.removeprefix(".") for name in imported(module) if name.startswith(".") and name != "."}
    assert {name for name in own if not any(name == a or name.startswith(a + ".") for a in allowed)} == set()


@pytest.mark.parametrize(
    "module", [m for m in modules() if part_of(m) in CORE], ids=lambda p: str(p.relative_to(PACKAGE))
)
def test_the_core_imports_only_the_standard_library_and_none_of_its_doors_to_the_world(module):
    outside = {name.split(".")[0] for name in imported(module) if name and not name.startswith(".")}
    assert outside - set(sys.stdlib_module_names) == set()
    assert outside & FORBIDDEN_IN_CORE == set()


def test_the_command_line_starts_without_any_device_library():
    import subprocess

    program = (
        "import sys, tablepi.cli, tablepi.commands.referee, tablepi.commands.log;"
        "print(sorted({'pygame', 'gpiozero', 'serial', 'cv2', 'numpy'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
