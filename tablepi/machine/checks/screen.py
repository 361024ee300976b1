"""The display: pygame, and what it needs of a console without a desktop."""

from __future__ import annotations

import os

from ..findings import Check, Finding, Findings, Looked, mend, ok, unknown
from ..host import Host
from ..plugged import displays

LIBRARIES = {
    "libdrm.so.2": "libdrm2",
    "libgbm.so.1": "libgbm1",
    "libEGL.so.1": "libegl1",
    "libGLESv2.so.2": "libgles2",
    "libudev.so.1": "libudev1",
}
"""What SDL loads on a console, and Debian's packages of it."""

SETTINGS = "/etc/tablepi/environment"
"""What the service is told besides its unit."""

_DESKTOP = unknown("a desktop is running here: a window opens on it")
_NO_GRAPHICS = unknown("there are no graphics on this machine")


def _two_pygames(looked: Looked) -> Findings:
    host = looked.host
    first, ce = host.installed("pygame"), host.installed("pygame-ce")
    pip = f"{host.python} -m pip"
    if first is not None and ce is not None:
        text = f"pygame {first} and pygame-ce {ce} are both installed, each over files of the other"
        return mend(text, f"{pip} uninstall -y pygame pygame-ce\n{pip} install pygame-ce")
    if first is None and ce is None:
        return mend("pygame is not installed", f"{pip} install pygame-ce")
    return ok(f"pygame-ce {ce}" if ce is not None else f"pygame {first}")


def _bare(looked: Looked) -> Finding | None:
    """Why the console's graphics do not matter here, if they do not."""
    if looked.host.desktop:
        return _DESKTOP
    return None if looked.host.entries("/dev/dri", "card*") else _NO_GRAPHICS


def _kmsdrm(looked: Looked) -> Findings:
    """Whether the SDL that pygame brought along can draw without a desktop: that of pip's pygame cannot."""
    if (bare := _bare(looked)) is not None:
        return bare
    host = looked.host
    site = host.folder_of("pygame")
    if site is None:
        return unknown("pygame is not installed")
    brought = [file for name in ("pygame.libs", "pygame_ce.libs") for file in sorted(site.glob(f"{name}/libSDL2-2*"))]
    if not brought:
        return ok("pygame uses the system's SDL, which can draw on a console")
    try:
        able = all(b"KMSDRM" in file.read_bytes() for file in brought)
    except OSError as error:
        return unknown(f"{brought[0]}: {error.strerror}")
    if able:
        return ok("the SDL that pygame brought along can draw on a console")
    pip = f"{host.python} -m pip"
    return mend(
        "the SDL that pygame brought along cannot draw on a console without a desktop (KMSDRM)",
        f"{pip} uninstall -y pygame\n{pip} install pygame-ce",
    )


def _libraries(looked: Looked) -> Findings:
    if (bare := _bare(looked)) is not None:
        return bare
    told = looked.host.ask(["/sbin/ldconfig", "-p"])
    if not told.well:
        return unknown("the system's libraries cannot be listed (ldconfig -p)")
    lacking = [package for library, package in LIBRARIES.items() if library not in told.text]
    if lacking:
        return mend(f"a console's graphics lack {' '.join(lacking)}", f"sudo apt install {' '.join(lacking)}")
    if not looked.host.entries("/usr/lib", "*/dri/*_dri.so") and not looked.host.entries("/usr/lib", "*/libgallium-*"):
        return mend("Mesa's drivers are not there, so that nothing draws", "sudo apt install libgl1-mesa-dri")
    return ok("what SDL loads on a console is installed")


def _connector(looked: Looked) -> Findings:
    host = looked.host
    if not host.entries("/sys/class/drm", "card*-*/status"):
        return _NO_GRAPHICS
    found = displays(host)
    if found:
        return ok(", ".join(f"{each.name} at {each.node}" for each in found) + ": a screen is connected")
    return mend(
        "no screen is connected, or it was switched on after the Pi",
        "switch the screen on before the Pi, look at its cable; else add video=HDMI-A-1:1920x1080@60D to the line in "
        "/boot/firmware/cmdline.txt, and restart",
    )


def _set(host: Host, name: str) -> tuple[str, str] | None:
    """What *name* is set to, here or for the service, and where."""
    for line in host.text(SETTINGS).splitlines():
        key, _, value = line.strip().partition("=")
        if key == name:
            return value.strip("\"' "), SETTINGS
    return (host.environ[name], "the environment") if name in host.environ else None


def _card(looked: Looked) -> Findings:
    host = looked.host
    told = _set(host, "SDL_KMSDRM_DEVICE_INDEX")
    if told is None:
        return ok("the graphics card with a screen is looked for at each start")
    number, where = told
    cards = {each.node.removeprefix("/dev/dri/card") for each in displays(host)}
    if number in cards or not cards:
        return ok(f"{where} names graphics card {number}")
    how = f"take SDL_KMSDRM_DEVICE_INDEX out of {where}, or write {min(cards)}"
    return mend(f"{where} names graphics card {number}, and the screen is at card {min(cards)}", how)


def _renderer(looked: Looked) -> Findings:
    """SDL's own choice on a console, desktop OpenGL, leaves the screen black while every call succeeds (SDL 4194)."""
    if (bare := _bare(looked)) is not None:
        return bare
    for name in ("SDL_RENDER_DRIVER", "SDL_FRAMEBUFFER_ACCELERATION"):
        told = _set(looked.host, name)
        if told is not None and told[0] == "opengl":
            text = f"{told[1]} sets {name}=opengl, with which a console's screen stays black"
            return mend(text, f"take {name} out of {told[1]}")
    return ok("SDL draws with OpenGL ES, as a console needs")


def _group_video(looked: Looked) -> Findings:
    return _may(looked, "/dev/dri", "card*", os.R_OK | os.W_OK, ("video", "render"))


def _group_input(looked: Looked) -> Findings:
    host = looked.host
    typing = [r.port for r in looked.config.readers if r.kind == "wedge" and host.there(r.port)]
    refused = [port for port in typing if not host.may(host.at(port), os.R_OK)]
    if refused:
        how = f"sudo adduser {host.user} input, and log in again"
        return mend(f"{host.user} may not read {', '.join(refused)}", how)
    return _may(looked, "/dev/input", "event*", os.R_OK, ("input",))


def _may(looked: Looked, folder: str, pattern: str, access: int, groups: tuple[str, ...]) -> Findings:
    host = looked.host
    if host.desktop:
        return _DESKTOP
    nodes = host.entries(folder, pattern)
    if not nodes:
        return unknown(f"there is no {folder}/{pattern}")
    refused = [host.shown(node) for node in nodes if not host.may(node, access)]
    if refused:
        add = " && ".join(f"sudo adduser {host.user} {group}" for group in groups)
        return mend(f"{host.user} may not use {', '.join(refused)}", f"{add}, and log in again")
    return ok(f"{host.user} may use {folder}")


CHECKS = (
    Check("two-pygames", "one pygame is installed, and not two over each other", _two_pygames),
    Check("pygame-kmsdrm", "pygame's SDL can draw on a console without a desktop", _kmsdrm),
    Check("kmsdrm-libs", "the libraries that SDL loads on a console are installed", _libraries),
    Check("drm-connector", "a screen is connected", _connector),
    Check("drm-card", "no setting names a graphics card without a screen", _card),
    Check("sdl-renderer", "no setting makes SDL draw with what leaves a console's screen black", _renderer),
    Check("group-video", "the graphics may be used by this user, where there is no desktop", _group_video),
    Check(
        "input-group",
        "readers that type may be read by this user; without a desktop keyboard and touch, too",
        _group_input,
    ),
)
