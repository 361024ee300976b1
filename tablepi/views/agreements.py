"""The page on which a table says what it has agreed on for a match, and one page for each switch.

What a switch means, what may be written and why something is impossible is said by the rule set, in English; here its
texts get the words of the language.
"""

from __future__ import annotations

import re
from typing import Any

from ..rules import Game, Hearts, Spades
from ..state import State
from .agreed import agreeable, allowed, choices, may_be_none, value_of
from .desk import Desk, agreed_game, ruled_game
from .screen import Command, Picker, Tap
from .words import Words, game_in_words

_LINE_KEYS = "123456789"
_DIGITS = "1234567890"


def agreed_picker(state: State, desk: Desk, words: Words, back: Tap) -> Picker:
    """All that may be agreed on, each with its value; what the rule set does not say stands out."""
    say, game = words.say, agreed_game(desk.setup, state)
    agreed = dict(desk.setup.agreed)
    lines = tuple(
        Tap(_line(game, name, words), Command("agree", name), _LINE_KEYS[i], selected=name in agreed)
        for i, name in enumerate(agreeable(game))
        if game is not None
    )
    reset = (Tap(say("As the rule set says"), Command("as-written"), "x"),) if agreed else ()
    done = Tap(say("Done"), Command("close"), "return", strong=True)
    title = say("Agreed for this match: {rules}").format(rules=game_in_words(desk.setup.chosen, words))
    return Picker(title, taps=(*lines, *reset, done, back))


def agree_picker(state: State, desk: Desk, words: Words) -> Picker:
    """What one switch means, and what it may be."""
    say, name = words.say, desk.argument
    back = Tap(say("Back"), Command("agreed"), "escape")
    game, written = agreed_game(desk.setup, state), ruled_game(desk.setup, state)
    if game is None or written is None or name not in agreeable(game):
        return Picker("", taps=(back,))
    label, now, as_written = switch_in_words(name, words), value_of(game, name), value_of(written, name)
    title = f"{label}: {_meaning(game, name, words)}."
    values = choices(game, name)
    taps = [
        Tap(_choice(game, name, value, words), _agree_on(value), _LINE_KEYS[i], selected=value == now)
        for i, value in enumerate(values)
    ]
    if not values:
        title = f"{_line(game, name, words)}. {_capital(_meaning(game, name, words))}."
        title = f"{title} {_range(allowed(game, name).text, words)}".strip()
        taps = [Tap(digit, Command("letter", digit), digit) for digit in _DIGITS]
        if desk.typed:
            taps.append(Tap("⌫", Command("letter", "backspace"), "backspace"))
            taps.append(Tap(say("Done"), _agree_on(desk.typed), "return", strong=True))
        if may_be_none(game, name):
            taps.append(Tap(value_in_words(name, None, words), _agree_on(None), "n", selected=now is None))
    if desk.refused:
        title = say("{switch}: not possible. {why}.").format(switch=label, why=refusal_in_words(desk.refused, words))
    if name in dict(desk.setup.agreed):
        says = say("As the rule set says: {value}").format(value=value_in_words(name, as_written, words))
        taps.append(Tap(says, Command("as-written", name), "x"))
    return Picker(title, taps=(*taps, back), typed=desk.typed)


def agreed_in_words(state: State, desk: Desk, words: Words) -> str:
    """What has been agreed, in a sentence; empty where nothing differs from the rule set."""
    game = agreed_game(desk.setup, state)
    told = [_line(game, name, words) for name, _ in desk.setup.agreed if game is not None]
    return words.say("Agreed: {lines}.").format(lines="; ".join(told)) if told else ""


def _agree_on(value: Any) -> Command:
    written = {True: "yes", False: "no"}.get(value) if isinstance(value, bool) else value
    return Command("agree-on", "none" if written is None else str(written))


def _line(game: Game, name: str, words: Words) -> str:
    value = value_in_words(name, value_of(game, name), words)
    return words.say("{switch}: {value}").format(switch=switch_in_words(name, words), value=value)


def switch_in_words(name: str, words: Words) -> str:
    """What a switch is called at the table."""
    say = words.say
    return {
        "target": say("Target"),
        "hands": say("Hands at most"),
        "illegal": say("An illegal card costs"),
        "moon": say("Shooting the moon"),
        "timeouts.play": say("Seconds for a card"),
        "timeouts.pass": say("Seconds for the pass"),
        "nil": say("Nil"),
        "blind_nil": say("Blind nil"),
        "exchange": say("Exchange of cards"),
        "suicide": say("Suicide"),
    }.get(name, name)


def value_in_words(name: str, value: Any, words: Words) -> str:
    """A value of a switch, short."""
    say = words.say
    if value is None:
        return say("when somebody says so") if name.startswith("timeouts") else say("no limit")
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if value == 0 and name in ("nil", "blind_nil"):
        return say("none")
    return {
        ("illegal", "record"): say("nothing"),
        ("illegal", "26"): say("26 points"),
        ("illegal", "whole-hand"): say("all the points of the hand"),
        ("moon", "others"): say("the others get them"),
        ("moon", "self"): say("off one's own total"),
        ("moon", "choice"): say("as the player says"),
        ("moon", "auto"): say("as is better for the player"),
    }.get((name, value), f"{value:g}" if isinstance(value, float) else str(value))


def _choice(game: Game, name: str, value: Any, words: Words) -> str:
    """One of a few values with what it means, as the rule set has it."""
    if isinstance(value, bool):
        return value_in_words(name, value, words)
    return _of_the_rules(allowed(game, name).words[value], words)


def _meaning(game: Game, name: str, words: Words) -> str:
    """What a switch means; what is said there of rule sets' files is left out."""
    assert isinstance(game, Hearts | Spades)
    return _of_the_rules(game.SWITCHES[name.partition(".")[0]].means.split(";")[0], words)


def _range(text: str, words: Words) -> str:
    """From where to where a number may be, of what the rule set says of it."""
    found = re.search(r"from (-?\d+) to (-?\d+)", text)
    return words.say("From {least} to {most}.").format(least=found[1], most=found[2]) if found else ""


def refusal_in_words(why: str, words: Words) -> str:
    """Why the rule set refuses a value, or several together."""
    say, found = words.say, re.match(r"(\S+) is not a (?:whole number|number of seconds) from (-?\d+) to (-?\d+)", why)
    if found:
        text = say("{value} is not a number from {least} to {most}")
        return text.format(value=found[1], least=found[2], most=found[3])
    return _capital(_of_the_rules(why.partition(": write ")[0], words))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _of_the_rules(text: str, words: Words) -> str:
    """A text of a rule set; one that is not known says itself."""
    say = words.say
    return {
        "the total that ends the match once somebody has it": say("the total that ends the match once somebody has it"),
        "the total that ends the match once a side has it": say("the total that ends the match once a side has it"),
        "the number of hands after which the match is over, if the target has not ended it before": say(
            "the number of hands after which the match is over, if the target has not ended it before"
        ),
        "what a card that was laid against the rules, and not taken back, costs when the hand is scored": say(
            "what a card that was laid against the rules, and not taken back, costs when the hand is scored"
        ),
        "nothing, it is only kept on record": say("nothing, it is only kept on record"),
        "its player gets 26 points, the others 0 that hand": say("its player gets 26 points, the others 0 that hand"),
        "its player gets the points of the whole hand, the others 0; another's moon is void": say(
            "its player gets the points of the whole hand, the others 0; another's moon is void"
        ),
        "what it scores to take every card that is worth more than 0": say(
            "what it scores to take every card that is worth more than 0"
        ),
        "each of the others gets the points, the shooter none": say(
            "each of the others gets the points, the shooter none"
        ),
        "the points are taken off the shooter's total, the others get none": say(
            "the points are taken off the shooter's total, the others get none"
        ),
        "the shooter says which of the two": say("the shooter says which of the two"),
        "others, unless that ends the match with the shooter not first": say(
            "others, unless that ends the match with the shooter not first"
        ),
        "the time that a player has": say("the time that a player has"),
        "the points that a nil wins or loses": say("the points that a nil wins or loses"),
        "the points that a blind nil wins or loses": say("the points that a blind nil wins or loses"),
        "whether who bids a blind nil may exchange two cards with the partner": say(
            "whether who bids a blind nil may exchange two cards with the partner"
        ),
        "whether each side must bid a nil in each hand": say("whether each side must bid a nil in each hand"),
        "only a blind nil exchanges cards, and none can be bid": say(
            "only a blind nil exchanges cards, and none can be bid"
        ),
        "each side must have a nil, and none can be bid": say("each side must have a nil, and none can be bid"),
    }.get(text, text)
