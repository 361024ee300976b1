"""The eyes: frames in, the cards that lie there out. Needs numpy and cv2, nothing else."""

from .reader import CardReader, Index, Reading

__all__ = ["CardReader", "Index", "Reading"]
