"""What was pressed, as plain data: keys by the names that taps use.

A key is named by what it types, because the same key types other signs in other layouts (the digits of a French
keyboard need the shift key); a key that types nothing is named as pygame names it.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame


@dataclass(frozen=True, slots=True)
class Key:
    """A key that no tap on the screen owns: ``"q"``, ``"7"``, ``"backspace"``, ``"f5"``."""

    name: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The window was closed."""


# Taps know one digit and one return, wherever they are on the keyboard.
_KEYPAD = {
    **{getattr(pygame, f"K_KP{digit}"): str(digit) for digit in range(10)},
    pygame.K_KP_ENTER: "return",
    pygame.K_KP_PERIOD: ".",
    pygame.K_KP_PLUS: "+",
    pygame.K_KP_MINUS: "-",
    pygame.K_KP_MULTIPLY: "*",
    pygame.K_KP_DIVIDE: "/",
}


def names_of(event: pygame.event.Event) -> tuple[str, ...]:
    """The names of the key of a KEYDOWN event, the one that it types first. None for a key that is held as a modifier
    or together with control, alt or the system key: those belong to the desktop."""
    if event.key in _KEYPAD:
        return (_KEYPAD[event.key],)
    typed = getattr(event, "unicode", "")
    printable = len(typed) == 1 and typed.isprintable() and not typed.isspace()
    mod = getattr(event, "mod", 0)
    third_level = mod & (pygame.KMOD_RALT | pygame.KMOD_MODE)  # AltGr, which some systems report as control and alt
    if mod & (pygame.KMOD_CTRL | pygame.KMOD_LALT | pygame.KMOD_META) and not (third_level and printable):
        return ()
    name = pygame.key.name(event.key)
    if name in _MODIFIERS or not name or name == "unknown key":
        return (typed.lower(),) if printable else ()
    names = (typed.lower(), name) if printable else (name,)
    return tuple(dict.fromkeys(names))


_MODIFIERS = frozenset(
    f"{side} {key}" for side in ("left", "right") for key in ("shift", "ctrl", "alt", "meta", "super")
) | {"alt gr", "caps lock", "numlock", "scroll lock", "mode"}
