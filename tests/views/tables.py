"""Tables and presses that the tests of the views share."""

from __future__ import annotations

import json

from tablepi.cards import each
from tablepi.facts import Fact
from tablepi.language import words
from tablepi.state import State
from tablepi.table import Table, empty, step
from tablepi.views.desk import Desk, Setup, press, type_key
from tablepi.views.scene import screen
from tablepi.views.screen import Command, Screen, Tap

from ..script import NAMES, RULEBOOK, Told, held, match

SETUP = Setup(tuple(NAMES), "hearts-cardems")

MANY = ("Rita", "Ada", "Bo", "Cleo", "Duarte", "Eva", "Filipe")


def game(rules: str, players: int = 4, **options: object) -> str:
    """A match of so many players."""
    return json.dumps({"fact": "match", "rules": rules, "players": MANY[:players], "options": options}) + " "


def bid(seat: int, said: int | str, **more: object) -> str:
    return json.dumps({"fact": "bid", "seat": seat, "bid": said, **more}) + " "


HAND, PASSED = '{"fact":"hand","dealer":0} ', '{"fact":"passed"} '
FIRST_TRICK = "0:2C 1:3C 2:4C 3:5C "
OPENING_HAND = held() + FIRST_TRICK
BREACH = OPENING_HAND + "3:5D 1:6D "
PROOF = OPENING_HAND + "3:5D 0:6D 1:2S 2:7D 2:8D 3:9D 0:JD 1:3S 0:KC 1:4D "
DOUBT = held() + "0~2C 1~3S 2~4C 3~5C 3~8C 0~6C 1~7C "
COVERED = held() + "0~2C 1~3C 3~5C "
TWO_CARDS = held() + "0#2C 1#3C 1#4D "
TAKEN_BACK = OPENING_HAND + "3:5D 0:6D 1:7H 2:8D 1-7H "
PASSING = match() + '{"fact":"hand","dealer":0} '
SCORED = match() + '{"fact":"hand"} {"fact":"end-hand","points":{"0":20,"1":6}} '


SPADES = game("spades") + HAND
BIDS = SPADES + bid(1, 3) + bid(2, "nil") + bid(3, 4) + bid(0, 5)
NIL_FAILED = BIDS + "1:2C 2:AC 3:KC 0:QC "
SPADES_SCORED = BIDS + '{"fact":"end-hand","tricks":{"0":6,"1":3,"2":1,"3":3}} '
REVOKED = (
    SPADES
    + bid(1, 3)
    + bid(2, 4)
    + bid(3, "nil")
    + bid(0, 5)
    + '1:2C 2:AC 3:2D 0:QC 2:KD 3:3C {"fact":"end-hand","tricks":{"0":4,"1":4,"2":4,"3":1}} '
)
EXCHANGING = (
    game("spades", exchange=True, exchange_deficit=0, blind_nil_deficit=0)
    + HAND
    + bid(1, 3)
    + bid(2, "blind-nil", exchange=True)
    + bid(3, 4)
    + bid(0, 5)
)
TOURNAMENT = game("hearts-tournament") + HAND + PASSED
PRIVATE_PROOF = TOURNAMENT + FIRST_TRICK + "3:5D 0:6D 1:2S 2:7D 2:8D 3:9D 0:JD 1:3S 0:KC 1:4D "
EVEN = game("hearts-cardems") + HAND + "".join(f'{{"fact":"pass","seat":{i},"count":3}} ' for i in range(4)) + PASSED
SOMEONE = EVEN + "0:2C 1:2D 2:3D 3:4D 0:5D "
MOON = game("hearts-black-maria") + HAND + '{"fact":"end-hand","points":{"2":26}} '


def black_maria(players: int, laid: str = "") -> str:
    """A hand of Black Maria, passed, with some cards laid from seat 1 on."""
    seats = (f"{(1 + i) % players}:{c}" for i, c in enumerate(laid.split()))
    return game("hearts-black-maria", players) + HAND + PASSED + " ".join(seats)


MOMENTS = {
    "before a match": "",
    "before the first hand": match(),
    "passing": PASSING,
    "passing, one has": PASSING + '{"fact":"pass","seat":1,"count":2}',
    "opening": held(),
    "first card": held() + "0:2C",
    "in a trick": OPENING_HAND + "3:5D 0:6D 1:QS",
    "a trick is over": OPENING_HAND,
    "breach": BREACH,
    "breach played over": BREACH + "2:7D",
    "breach taken back": BREACH + "1-6D",
    "proof": PROOF,
    "proof, one card later": PROOF + "2:9C",
    "proof, a trick later": PROOF + "2:9C 3:TC 0:7C",
    "doubt": DOUBT,
    "covered card": COVERED,
    "unreadable card": held() + '{"fact":"seen","seat":0,"card":"2C","source":"camera","confidence":0.2,"steady":0.4}',
    "two cards": TWO_CARDS,
    "card seen twice": held() + "0#2C 1#3C 2#4C 3#5C 3#6D 0#3C",
    "conflict": held() + "0~2C 1~3C 1#3S",
    "whose card": held()
    + '{"fact":"tag","card":"9D","source":"reader-0"} {"fact":"lost","device":"reader-1"} {"fact":"tag","uid":"04AA"}',
    "taken back, owes a card": TAKEN_BACK,
    "undone": OPENING_HAND + '{"fact":"correct","n":7,"drop":true,"reason":"undo"}',
    "misdeal": held() + '0:2C {"fact":"misdeal"}',
    "scored": SCORED,
    "match over": SCORED + '{"fact":"end-match"}',
    "bidding": SPADES,
    "bidding, some have": SPADES + bid(1, 3) + bid(2, "nil"),
    "bid out of turn": SPADES + bid(1, 3) + bid(3, 4),
    "blind nil of a side that is not behind": SPADES + bid(1, "blind-nil"),
    "bid a second time": SPADES + bid(1, 3) + bid(1, 4),
    "the last bid is not allowed": SPADES + bid(1, 3) + bid(2, 4) + bid(3, 4) + bid(0, "blind-nil"),
    "without a nil on a side": game("spades", suicide=True) + HAND + bid(1, 3) + bid(2, "nil") + bid(3, 3),
    "exchange": EXCHANGING,
    "exchange, the partner gives": EXCHANGING + '{"fact":"exchange","seat":2,"count":3} ',
    "exchange declined": EXCHANGING + '{"fact":"exchange","seat":2,"declined":true} ',
    "exchange while others bid": EXCHANGING.removesuffix(bid(0, 5)),
    "bids done": BIDS,
    "nil failed": NIL_FAILED,
    "someone": SOMEONE,
    "counted": BIDS + "1:2S",
    "spades broken": BIDS + "1:2C 2:3C 3:KC 0:5S 0:AS",
    "spades led early": BIDS + "1:2S",
    "revoke in spades": NIL_FAILED + "2:2H 3:5H 0:6C 1:7H 3:8H 0:9H",
    "a card before all have bid": SPADES + bid(1, 3) + "1:2C",
    "spades scored": SPADES_SCORED,
    "revoke in spades, scored": REVOKED,
    "spades over": SPADES_SCORED + '{"fact":"end-match"}',
    "three players, before the first hand": game("hearts-black-maria", 3),
    "five players pass": game("hearts-black-maria", 5) + HAND,
    "three in a trick": black_maria(3, "2C 5C"),
    "five in a trick": black_maria(5, "3C 5C 6C 7C"),
    "six in a trick": black_maria(6, "2C 5C 6C 7C 8C"),
    "seven in a trick": black_maria(7, "2C 5C 6C 7C 8C 9C"),
    "seven, two cards": black_maria(7, "2C 5C") + " 2:9D",
    "moon to be chosen": MOON,
    "moon chosen": MOON + '{"fact":"choose","seat":2,"choice":"self"}',
    "time is up": TOURNAMENT + '0:2C {"fact":"timeout","seat":1}',
    "time is up, not the lowest": TOURNAMENT + '0:2C {"fact":"timeout","seat":1} 1:9C 2:TC 3:JC 3:5D 0:6D 1:3D',
    "time is up while passing": game("hearts-tournament") + HAND + '{"fact":"timeout","seat":1}',
    "a player has left": TOURNAMENT + '0:2C {"fact":"leave","seat":1}',
    "three have left": TOURNAMENT + "0:2C " + "".join(f'{{"fact":"leave","seat":{seat}}} ' for seat in (1, 2, 0)),
    "private proof": PRIVATE_PROOF,
    "private trick over": TOURNAMENT + FIRST_TRICK,
    "private proof, scored": PRIVATE_PROOF + '{"fact":"end-hand","points":{"0":20,"1":6}}',
    "a bonus card": game("hearts-omnibus") + HAND + PASSED,
}


def table_of(script: str) -> Table:
    return Told(script).table if script else empty(RULEBOOK)


def desk(language: str = "en") -> Desk:
    return Desk(SETUP, language=language)


def seen(table: Table, at: Desk) -> Screen:
    return screen(table, at, words(at.language, table.state.players), readers={f"reader-{i}": i for i in range(4)})


def taps_of(shown: Screen) -> tuple[Tap, ...]:
    return shown.pressable


def strike(at: Desk, table: Table, key: str) -> tuple[Desk, tuple[Fact, ...]]:
    """A key as the display treats it: a tap that is shown and owns it comes first."""
    owner = next((tap for tap in taps_of(seen(table, at)) if tap.key == key), None)
    return type_key(at, table, key) if owner is None else press(at, table, owner.action)


def typed(table: Table, keys: str, language: str = "en") -> tuple[Desk, Table, tuple[Fact, ...]]:
    """The desk, the table and all facts after some keys, which spaces part."""
    at, entered = desk(language), ()
    for key in keys.split():
        at, facts = strike(at, table, key)
        for fact in facts:
            table = step(table, fact)
        entered += facts
    return at, table, entered


def command(table: Table, *names: str) -> Desk:
    """The desk after some commands, each written ``name`` or ``name:argument``."""
    at = desk()
    for name in names:
        what, _, argument = name.partition(":")
        at, _ = press(at, table, Command(what, argument))
    return at


def playable(state: State) -> str:
    """A card that the seat whose turn it is may play without a ruling that anybody would notice."""
    felt = state.felt
    assert felt is not None
    opening = felt.game.opening(felt.deck)
    if felt.number == 1 and not felt.trick and opening is not None:
        return str(opening)
    led = next((laid.card for laid in felt.trick if laid.card is not None), None)
    free = list(each(felt.unseen_for(felt.turn or 0)))
    follow = [c for c in free if led is not None and c.suit == led.suit]
    # Rather none of the suit that must be broken to lead.
    closed = "S" if felt.game.bidding else "H"
    return str(min(follow or [c for c in free if c.suit != closed] or free))
