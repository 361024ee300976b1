"""Where the virtual camera hangs, and what that makes of the table: a pinhole above a plane.

The lens is chosen as one chooses it at a real table: as long as it can be while the marked square, with the white
margins of its four markers, stays in the picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

MARKERS_MM: tuple[tuple[float, float], ...] = ((235.0, -235.0), (235.0, 235.0), (-235.0, 235.0), (-235.0, -235.0))
"""The middle of marker 0, 1, 2 and 3 on the table."""

MARKER_MM = 30.0
"""The side of a marker's black square; the white margin round it is an eighth of that, one cell."""

_ALL_MM = 235.0 + MARKER_MM * 5 / 8 + 15.0  # from the middle to the outside of the margins, and some cloth


@dataclass(frozen=True, slots=True)
class Pose:
    """A camera *height* mm above the table; pictures are of *size* (width, height).

    *tilt*: degrees round the table's x and y axis; *roll*: degrees clockwise; *aim*: the point of the table in the
    middle of the picture. *focal*: the lens in pixels; None for the longest that has the markers in the picture.
    """

    size: tuple[int, int]
    height: float = 700.0
    tilt: tuple[float, float] = (0.0, 0.0)
    roll: float = 0.0
    aim: tuple[float, float] = (0.0, 0.0)
    focal: float | None = None

    @classmethod
    def seeded(cls, size: tuple[int, int], seed: int) -> Pose:
        """A camera as people hang it: roughly over the middle, roughly straight."""
        rng = np.random.default_rng((seed, 2))
        height = float(rng.uniform(620, 800))
        tilt = float(rng.uniform(-3, 3)), float(rng.uniform(-3, 3))
        roll = float(rng.uniform(-1.2, 1.2))
        return cls(size, height, tilt, roll, (float(rng.uniform(-3, 3)), float(rng.uniform(-3, 3))))

    def to_pixels(self, above: float = 0.0) -> Matrix:
        """3×3 float64: from millimetres of the table, or of the plane *above* it, to pixels of the picture (x right, y
        down, pixel centres at integers)."""
        turn, back = self._view()
        plane = np.column_stack((turn[:, 0], turn[:, 1], back - above * turn[:, 2]))
        focal, (w, h) = self._focal(), self.size
        lens = np.array([[focal, 0, (w - 1) / 2], [0, focal, (h - 1) / 2], [0, 0, 1]])
        whole = lens @ plane
        return np.asarray(whole / whole[2, 2])

    @property
    def to_table(self) -> Matrix:
        """3×3 float64, from pixels of the picture to millimetres of the table: the truth for who finds the markers."""
        back = np.linalg.inv(self.to_pixels())
        return np.asarray(back / back[2, 2])

    @property
    def density(self) -> float:
        """Pixels a millimetre in the middle of the table."""
        return self._focal() / self.height

    def shifted(self, x: float, y: float, turn: float, tilt: tuple[float, float]) -> Pose:
        """The same camera with the same lens, pushed *x* and *y* mm aside, turned and tilted by some degrees."""
        tilted = replace(
            self, tilt=(self.tilt[0] + tilt[0], self.tilt[1] + tilt[1]), roll=self.roll + turn, focal=self._focal()
        )
        # What is tilted hangs where it hung, and looks elsewhere.
        (a, b, c), (d, e, f) = self._view()[0][2].tolist(), tilted._view()[0][2].tolist()
        aim = self.aim[0] + x + self.height * (d / f - a / c), self.aim[1] + y + self.height * (e / f - b / c)
        return replace(tilted, aim=aim)

    def _view(self) -> tuple[Matrix, Matrix]:
        """The rotation from the table's axes (z away from the camera) to the camera's, and where the table's origin is
        in the latter."""
        a, b, r = (math.radians(v) for v in (*self.tilt, self.roll))
        about_x = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
        about_y = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
        about_z = np.array([[math.cos(r), -math.sin(r), 0], [math.sin(r), math.cos(r), 0], [0, 0, 1]])
        turn = about_z @ about_y @ about_x
        far = self.height / turn[2, 2]  # along the axis, from the pinhole to the point that it aims at
        return turn, np.array([0, 0, far]) - turn @ np.array([*self.aim, 0])

    def _focal(self) -> float:
        """The lens, in pixels."""
        if self.focal is not None:
            return self.focal
        turn, back = self._view()
        corners = np.array([[x, y, 0] for x in (-_ALL_MM, _ALL_MM) for y in (-_ALL_MM, _ALL_MM)]) @ turn.T + back
        reach = np.abs(corners[:, :2] / corners[:, 2:]).max(0)
        return float(((np.array(self.size) - 1) / 2 / reach).min())
