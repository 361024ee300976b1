"""Draws the pictures of the display that the README shows, from short games: ``python docs/draw_pictures.py``.

Each picture is a real screen of a real table, so it cannot promise what the program does not do.
"""

from __future__ import annotations

from pathlib import Path

from tablepi import presets
from tablepi.cards import card
from tablepi.display import Display
from tablepi.facts import Bid, Fact, Hand, Match, Passed, Play, Seen
from tablepi.language import words
from tablepi.table import Table, empty, step
from tablepi.views.desk import Desk, Setup
from tablepi.views.scene import screen

HERE = Path(__file__).parent
SIZE = (1024, 600)
PLAYERS = ("Rita", "Ada", "Bo", "Cleo")
READERS = {f"reader-{seat}": seat for seat in range(4)}

FIRST_TRICK = "0:2C 1:3C 2:4C 3:5C "

# In trick 2 Ada throws away the queen of spades on a diamond; nobody can know yet whether she holds one.
DISCARD = FIRST_TRICK + "3:5D 0:6D 1:QS"

# Ada does not follow diamonds in trick 2, and lays one in trick 4: the display names both plays.
PROOF = FIRST_TRICK + "3:5D 0:6D 1:2S 2:7D 2:8S 3:9S 0:TS 1:JS 1:4D 2:9D"

# The camera took one black three for the other: the table asks before it accuses.
QUESTION = "0~2C 1~3S 2~4C 3~5C 3~8C 0~6C 1~7C"

# Bo, who has bid nil, cannot follow hearts and lays a spade on them.
NIL = "1:4 2:nil 3:3 0:5 1:KC 2:QC 3:AC 0:2C 3:4H 0:JH 1:9H 2:3S"


def draw() -> None:
    """Write the four pictures beside this file."""
    with Display(size=SIZE, headless=True) as display:
        for name, rules, script, language in (
            ("display-en.png", "hearts-cardems", DISCARD, "en"),
            ("display-pt.png", "hearts-cardems", PROOF, "pt-PT"),
            ("display-question.png", "hearts-cardems", QUESTION, "en"),
            ("display-spades.png", "spades", NIL, "en"),
        ):
            desk = Desk(Setup(PLAYERS, rules), language=language)
            display.draw(screen(played(rules, script), desk, words(language, PLAYERS), readers=READERS))
            display.picture(HERE / name)


def played(rules: str, script: str) -> Table:
    """The table after some cards: ``1:QS`` a person enters seat 1's queen of spades, ``1~QS`` the camera sees it, and
    ``1:4`` is a bid."""
    table = empty(presets.rulebook())
    passed = (Passed(),) if rules.startswith("hearts") else ()
    for fact in (Match(rules=rules, players=PLAYERS), Hand(dealer=0), *passed, *map(laid, script.split())):
        table = step(table, fact)
    return table


def laid(word: str) -> Fact:
    seat, kind, said = int(word[0]), word[1], word[2:]
    if said.isdecimal() or said == "nil":
        return Bid(seat=seat, bid=int(said) if said.isdecimal() else said)
    written = card(said)
    if kind == ":":
        return Play(seat=seat, card=written)
    return Seen(seat=seat, card=written, source="camera", confidence=0.98, steady=0.4)


if __name__ == "__main__":
    draw()
