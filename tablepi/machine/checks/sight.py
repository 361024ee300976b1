"""Cameras, OpenCV, and the networks that read cards."""

from __future__ import annotations

import os

from ...devices.querycap import OF_THE_PI
from ..findings import Check, Finding, Findings, Looked, mend, ok, ran, unknown
from ..plugged import camera_says, cameras, pi_cameras
from .ports import held

_NO_CAMERA = unknown("the table has no camera on USB")
_NO_OWN = unknown("the table has no camera of the Pi's own (source: rpicam)")

NUMPY = "import numpy, cv2; cv2.GaussianBlur(numpy.zeros((8, 8), numpy.uint8), (3, 3), 0)"
READER = "from tablepi.vision.reader import CardReader; CardReader()"


def _gui(looked: Looked) -> Findings:
    """The builds with windows end the process where there is no desktop, and two builds share their files."""
    host = looked.host
    builds = [
        name
        for kind in ("opencv-python", "opencv-contrib-python")
        for name in (kind, f"{kind}-headless")
        if host.installed(name) is not None
    ]
    pip = f"{host.python} -m pip"
    anew = f"{pip} uninstall -y {' '.join(builds)}\n{pip} install opencv-python-headless"
    if len(builds) > 1:
        return mend(f"{' and '.join(builds)} are both installed, each over files of the other", anew)
    if builds and not builds[0].endswith("-headless"):
        text = f"{builds[0]} has windows of its own (Qt), and ends the program where there is no desktop"
        return mend(text, anew)
    return ok(builds[0] if builds else "OpenCV is none of pip's builds")


def _numpy(looked: Looked) -> Findings:
    host = looked.host
    last = ran(host, NUMPY, "numpy and OpenCV fit each other")
    if isinstance(last, Finding):
        return last
    pip = f"{host.python} -m pip"
    return mend(f"numpy and OpenCV cannot be used together: {last}", f"{pip} install --upgrade opencv-python-headless")


def _models(looked: Looked) -> Findings:
    last = ran(looked.host, READER, "the networks that read cards are there, and OpenCV can read them")
    if isinstance(last, Finding):
        return last
    before, _, why = last.partition("Missing: ")
    return mend(f"cards cannot be read: {why or before}", "git checkout -- models   (where the project lies)")


def _by_number(looked: Looked) -> Findings:
    """OpenCV opens the Pi's own camera, and then waits for frames that never come (raspberrypi/rpicam-apps 598)."""
    host = looked.host
    found: list[Finding] = []
    for name, device in looked.videos():
        says = camera_says(host, host.at(device))
        if says is None:
            continue
        if says.driver in OF_THE_PI:
            found.append(mend(f"{name}: {device} is the Pi's own camera, which gives nothing there", "source: rpicam"))
        elif not says.captures:
            node = host.real(host.at(device))
            usual = next((each for each in cameras(host) if each.what == says.card and each.node != str(node)), None)
            how = f"source: {usual.name}" if usual is not None else "put in the source that `tablepi devices` shows"
            found.append(mend(f"{name}: {device} is a part of the camera that gives no pictures", how))
    if not found and not list(looked.videos()):
        return looked.no_file or _NO_CAMERA
    return found or ok("cameras are named as they can be opened")


def _own(looked: Looked) -> Findings:
    wanted = dict(looked.own_cameras())
    if not wanted:
        return looked.no_file or _NO_OWN
    host = looked.host
    for program in ("rpicam-vid", "rpicam-hello"):
        told = host.ask([program, "--version"])
        if told.status is None:
            return mend(f"{program} is not installed", "sudo apt install rpicam-apps-lite")
    there = [each.name for each in pi_cameras(host)]
    found = [
        mend(
            f"{name}: the Pi does not find its camera ({source})",
            "switch off, look at both ends of the ribbon cable; rpicam-hello --list-cameras shows those that are found",
        )
        for name, source in wanted.items()
        if source not in there
    ]
    return found or ok(f"the Pi finds {', '.join(there)}")


def _may_open(looked: Looked) -> Findings:
    host = looked.host
    there = [device for _, device in looked.videos() if host.there(device)]
    if not there:
        return looked.no_file or _NO_CAMERA
    refused = [device for device in there if not host.may(host.at(device), os.R_OK | os.W_OK)]
    if refused:
        return mend(
            f"{host.user} may not open {', '.join(refused)}", f"sudo adduser {host.user} video, and log in again"
        )
    return ok(f"{host.user} may open the cameras")


def _busy(looked: Looked) -> Findings:
    there = [(name, device) for name, device in looked.videos() if looked.host.there(device)]
    return held(looked.host, there) if there else looked.no_file or _NO_CAMERA


CHECKS = (
    Check("opencv-gui", "one build of OpenCV is installed, and one without windows of its own", _gui),
    Check("numpy-abi", "numpy and OpenCV fit each other", _numpy),
    Check("models", "the networks that read cards are there, and can be read", _models),
    Check("camera-csi-by-number", "no camera is named by a node that gives no pictures", _by_number),
    Check("rpicam", "rpicam-apps is installed, and finds the Pi's own cameras of the table", _own),
    Check("group-camera", "the cameras on USB may be opened by this user", _may_open),
    Check("busy-camera", "no other program has a camera open", _busy),
)
