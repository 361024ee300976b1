"""Networks by ``cv2.dnn``: nothing else is needed to run them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from ..errors import Missing


def load(model: Path) -> Any:
    """The network in the ONNX file *model*. Raises Missing when there is none that OpenCV can read."""
    if not model.is_file():
        raise Missing(f"{model}: the card reader's model is not there: get it again with the project")
    try:
        # OpenCV 5 has two engines that say the same; the older one takes a tenth less for the finder, and for the namer
        # two fifths. OpenCV 4 has only that one, and no name for it.
        engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        net = cv2.dnn.readNetFromONNX(str(model), *(() if engine is None else (engine,)))
    except cv2.error as error:
        raise Missing(f"{model}: OpenCV {cv2.__version__} cannot read this model: get it again ({error.err})") from None
    return net


def run(net: Any, blob: NDArray[np.float32]) -> NDArray[np.float32]:
    """What *net* says to *blob*, both float32 with the batch first."""
    net.setInput(blob)
    told: NDArray[np.float32] = net.forward()
    return told
