"""A virtual Raspberry Pi 3: QEMU's model of the board, Debian's own kernel and Python, and this working tree in it.

What is the same each time (kernel, device tree, Python, wheels) is built once, by mmdebstrap and pip as they are
configured on this machine, and kept in the user's cache. The tree is packed anew for each start, as a second archive
behind the first, which the kernel unpacks one after the other.

Bookworm, because lgpio has wheels for its Python and for none that is newer. QEMU's Pi has no firmware to tell the
revision of the board, by which gpiozero knows the header, so the machine's init writes the line that Raspberry Pi's own
kernel has in /proc/cpuinfo. Its GPIO has levels and directions, but neither pulls nor interrupts: a button that is
pressed there is low, and nobody is told. A halt does not end QEMU, so it is ended at the last line.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

import platformdirs

ROOT = Path(__file__).parents[2]
PROGRAMS = {"qemu-system-aarch64": "qemu-system-arm", "mmdebstrap": "mmdebstrap", "cpio": "cpio", "apt-get": "apt"}
"""What is needed, each with its Debian package."""

_SUITE, _PYTHON, _PACKAGES = "bookworm", "3.11", "python3,busybox-static,linux-image-arm64"
_OF_TABLEPI = ("gpiozero", "pydantic", "pyyaml", "platformdirs")
_MORE_WHEELS = ("lgpio==0.2.2.0", "pytest>=8", "hypothesis>=6.100")
_GLIBC = ("manylinux2014", "manylinux_2_17", "manylinux_2_28", "manylinux_2_34")
_NOT_PACKED = ("dev", "boot", "lib/modules", "usr/lib/modules", "usr/lib/linux-image*", "usr/share/doc")
_NOT_PACKED += ("usr/share/locale", "usr/share/man", "usr/share/zoneinfo", "var/cache", "var/lib")
_OF_THE_TREE = ("tablepi", "tests", "pyproject.toml")

_BEGUN, _OVER = "--- results", "--- over"
_INIT = f"""#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
exec </dev/ttyS1 >/dev/ttyS1 2>&1
/bin/busybox mount -t debugfs debug /sys/kernel/debug
/bin/busybox mount -t tmpfs tmp /tmp
/bin/busybox mkdir /tmp/bin
/bin/busybox --install -s /tmp/bin
export PATH=/tmp/bin:/usr/bin:/bin HOME=/tmp LG_WD=/tmp
export PYTHONPATH=/opt/tablepi:/opt/site PYTHONDONTWRITEBYTECODE=1
uname -srm
tr -d '\\000' </proc/device-tree/model; echo
(cat /proc/cpuinfo; printf 'Revision\\t: a02082\\n') >/tmp/cpuinfo
mount --bind /tmp/cpuinfo /proc/cpuinfo
cd /opt/tablepi
python3 -m pytest -vv --color=no -p no:cacheprovider --kernel-pins --junitxml=/tmp/results.xml $(cat /opt/cases)
echo; echo '{_BEGUN}'; cat /tmp/results.xml; echo; echo '{_OVER}'
exec sleep 3600
"""
_KERNEL_WORDS = "rdinit=/init console=ttyS1,115200 loglevel=1 iomem=relaxed"


class CannotBuild(Exception):
    """That the machine cannot be had here, and why."""


def results(cases: Sequence[str], *, patience_s: float = 1200) -> tuple[dict[str, str], str]:
    """Run test files in the machine: by name of each test ``passed``, or what became of it; and all that the machine
    said. Raises CannotBuild; and AssertionError with all that was said when it did not come to its end."""
    built = _built()
    with tempfile.TemporaryDirectory(prefix="tablepi-virtual-pi-") as made:
        initrd = Path(made) / "initrd"
        _pack_tree(Path(made) / "tree", cases)
        with initrd.open("wb") as archive:
            archive.write((built / "system.cpio").read_bytes())
            _pack(Path(made) / "tree", archive)
        said = list(_said(built, initrd, patience_s))
    everything = "\n".join(said)
    assert _OVER in said, f"the virtual Pi did not come to its end:\n{everything}"
    written = "\n".join(said[said.index(_BEGUN) + 1 : said.index(_OVER)])
    return dict(_outcomes(written)), everything


def _said(built: Path, initrd: Path, patience_s: float) -> Iterator[str]:
    """The lines of the console, up to the last one."""
    words = ["qemu-system-aarch64", "-M", "raspi3b", "-m", "1G", "-smp", "4", "-display", "none", "-monitor", "none"]
    words += ["-kernel", built / "kernel", "-dtb", built / "dtb", "-initrd", initrd, "-append", _KERNEL_WORDS]
    words += ["-serial", "null", "-serial", "stdio"]  # the first one is Bluetooth's
    with subprocess.Popen(
        [*map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as machine:
        patience = threading.Timer(patience_s, machine.kill)
        patience.start()
        try:
            assert machine.stdout is not None
            for line in machine.stdout:
                yield line.strip()
                if line.strip() == _OVER:
                    break
        finally:
            patience.cancel()
            machine.kill()


def _outcomes(junit: str) -> Iterable[tuple[str, str]]:
    for case in ElementTree.fromstring(junit).iter("testcase"):
        name = f"{case.get('classname', '').rsplit('.', 1)[-1]}::{case.get('name')}"
        yield name, "; ".join(f"{part.tag}: {part.get('message')}" for part in case) or "passed"


# --- what it is built of ------------------------------------------------------------------------------------------


def _built() -> Path:
    """The folder with ``kernel``, ``dtb`` and ``system.cpio``: from the cache, or built now. Raises CannotBuild."""
    if lacking := sorted(package for program, package in PROGRAMS.items() if shutil.which(program) is None):
        raise CannotBuild(f"needs {' '.join(lacking)} (sudo apt install {' '.join(lacking)})")
    recipe = repr((_SUITE, _PACKAGES, _wheels(), _GLIBC, _NOT_PACKED, _INIT))
    cache = platformdirs.user_cache_path("tablepi-tests", appauthor=False)
    built = cache / f"virtual-pi-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"
    with _alone(cache):
        if not built.is_dir():
            with tempfile.TemporaryDirectory(dir=cache, prefix="being-built-") as folder:
                _build(Path(folder))
                for older in cache.glob("virtual-pi-*"):
                    shutil.rmtree(older)
                (Path(folder) / "built").rename(built)
    return built


@contextmanager
def _alone(cache: Path) -> Iterator[None]:
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(folder: Path) -> None:
    system, built = folder / "system", folder / "built"
    for made in (system, built):
        made.mkdir()
    _run("mmdebstrap", "--variant=extract", "--architectures=arm64", f"--include={_PACKAGES}", _SUITE,
         folder / "system.tar", *_mirrors())  # fmt: skip
    _run("tar", "-xf", folder / "system.tar", "-C", system, "--exclude=./dev")  # device nodes want root
    _only(system.glob("boot/vmlinuz-*")).rename(built / "kernel")
    _only(system.glob("usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb")).rename(built / "dtb")
    _run(sys.executable, "-m", "pip", "install", "--target", system / "opt/site", "--only-binary=:all:",
         "--implementation=cp", f"--python-version={_PYTHON}", *(f"--platform={of}_aarch64" for of in _GLIBC),
         *_wheels())  # fmt: skip
    for pattern in _NOT_PACKED:
        for unwanted in system.glob(pattern):
            shutil.rmtree(unwanted)
    if sys.version_info[:2] == tuple(map(int, _PYTHON.split("."))):  # bytecode is the same on every processor
        _run(sys.executable, "-m", "compileall", "-qq", "--invalidation-mode=unchecked-hash",
             system / "opt/site", system / f"usr/lib/python{_PYTHON}")  # fmt: skip
    for mounted in ("dev", "proc", "sys", "tmp"):
        (system / mounted).mkdir(exist_ok=True)
    (system / "init").write_text(_INIT)
    (system / "init").chmod(0o755)
    with (built / "system.cpio").open("wb") as archive:
        _pack(system, archive)


def _wheels() -> list[str]:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    return [*(need for need in declared if need.startswith(_OF_TABLEPI)), *_MORE_WHEELS]


def _mirrors() -> list[str]:
    """Where this machine has Debian from; none where it has it from nowhere, which leaves mmdebstrap its own."""
    told = _run("apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages").splitlines()
    return sorted({line.removeprefix("Debian ") for line in told if line.startswith("Debian ")})[:1]


def _only(found: Iterable[Path]) -> Path:
    (one,) = found
    return one


def _run(*words: object) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith(("E:", "ERROR:"))] or ["no reason"]
        raise CannotBuild(f"{words[0]} failed: {said[0]}")
    return done.stdout


# --- archives -----------------------------------------------------------------------------------------------------


def _pack_tree(folder: Path, cases: Sequence[str]) -> None:
    tree = folder / "opt" / "tablepi"
    tree.mkdir(parents=True)
    for name in _OF_THE_TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, tree / name)
    (folder / "opt" / "cases").write_text(" ".join(cases))


def _pack(folder: Path, archive: object) -> None:
    """Add what *folder* has to *archive*, in the form that the kernel unpacks. One archive behind another must begin
    at a multiple of four bytes; those of cpio are of 512."""
    names = "\n".join(str(path.relative_to(folder)) for path in sorted(folder.rglob("*")))
    subprocess.run(
        ["cpio", "--create", "--format=newc", "--owner=0:0", "--quiet"],
        cwd=folder, input=names.encode(), stdout=archive, check=True,
    )  # fmt: skip
