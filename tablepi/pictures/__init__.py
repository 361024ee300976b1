"""From what a person names (pictures, folders, videos) to frames, each in the shape that the reader takes.

Whatever a file holds, it costs at most one clear error for that file; the others go on. What is decided here:

* A picture whose end is missing is an error. Decoders fill the missing part with grey and say nothing to us, and a card
  that lay there would be reported as not there. This includes a JPEG that lacks only its end marker: nothing tells how
  much went with it. Damage in the middle is an error where the kind has checksums (PNG); in a JPEG it cannot be told
  from harmless disorder, and is shown as any viewer shows it.
* An animated GIF, PNG or WebP is its first frame: such a file is a picture that moves a little, and to hold all its
  frames could take any amount of memory. What should be watched is given as a video.
* A picture of more than ``MOST_PIXELS_KEPT`` is decoded smaller by 2, 4 or 8. Boxes are scaled back to the file's own
  pixels (``Picture.box``), and ``width`` and ``height`` are the file's own.
* A picture is turned as EXIF says, in every kind that can carry it and with every version of OpenCV.
* Transparency is ignored, 16 bits become 8 (the upper ones), grey becomes three equal channels.
* HEIC, AVIF and JPEG 2000 are refused by name: not every OpenCV can read them, and answers must not depend on that.
* In a folder, what neither is nor calls itself a picture or a video is passed over and counted, as is what is hidden
  (its name begins with a dot). A name such as ``x.jpg`` is a promise: when the file cannot be read, that is an error.
* Folders are entered, each once, so that links that lead in a circle end. A file named twice is given twice.
* A video that says it is longer than what can be read gives the frames up to there, then one error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import PurePath

from .decoding import Picture, Video, decoded, opened_video
from .headers import VIDEOS
from .names import PassedOver, Unreadable, files, opened, pictures_in

__all__ = ["PassedOver", "Picture", "Unreadable", "Video", "picture", "pictures", "pictures_in", "video"]


def pictures(
    paths: Iterable[str | PurePath], *, frames: int = 1, seconds: float = 0.0, leave_out: str | PurePath | None = None
) -> Iterator[Picture | Unreadable | PassedOver]:
    """Every picture and frame of *paths*, in their order, and within a folder by name, numbers in it by their value;
    one frame is held at a time.

    Of a video, every *frames*-th frame, or one each *seconds*. The folder *leave_out* is not entered when another
    folder leads to it. What cannot be read comes as an Unreadable in its place; none is raised.
    """
    for path in paths:
        for found in files(path, leave_out):
            if not isinstance(found, str):
                yield found
                continue
            try:
                yield from _of_file(found, frames, seconds)
            except Unreadable as error:
                yield error


def picture(path: str | PurePath) -> Picture:
    """The one picture of a file, or the first frame of a video. Raises Unreadable."""
    return next(_of_file(path, 1, 0.0))


def _of_file(path: str | PurePath, frames: int, seconds: float) -> Iterator[Picture]:
    with opened(path) as (file, kind):
        if kind in VIDEOS:
            with opened_video(str(path), file, kind) as film:
                yield from film.frames(frames, seconds)
        else:
            yield decoded(str(path), file, kind)


@contextmanager
def video(path: str | PurePath) -> Iterator[Video]:
    """The open video of a file. Raises Unreadable when it is anything else."""
    with opened(path) as (file, kind):
        if kind not in VIDEOS:
            raise Unreadable(str(path), "is a picture and no video: name a video, or a folder of pictures")
        with opened_video(str(path), file, kind) as film:
            yield film
