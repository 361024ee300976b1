"""Whole screens at the moments that matter, in English and Portuguese, and what is told for how long."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from tablepi import facts as f
from tablepi.cards import card, each
from tablepi.config import Config
from tablepi.devices import camera, presence
from tablepi.facts import from_dict
from tablepi.language import words
from tablepi.table import Table, step
from tablepi.views.desk import Desk, new_match
from tablepi.views.lamps import MEANINGS
from tablepi.views.scene import screen
from tablepi.views.screen import Command, Grid, Screen, SeatView, Tap
from tablepi.vision import eye

from ..script import NAMES, Told, held, match
from .tables import (
    BIDS,
    BREACH,
    COVERED,
    DOUBT,
    EVEN,
    FIRST_TRICK,
    HAND,
    MOMENTS,
    MOON,
    NIL_FAILED,
    OPENING_HAND,
    PASSED,
    PASSING,
    PRIVATE_PROOF,
    PROOF,
    REVOKED,
    SCORED,
    SETUP,
    SOMEONE,
    SPADES,
    SPADES_SCORED,
    TAKEN_BACK,
    TOURNAMENT,
    TWO_CARDS,
    bid,
    black_maria,
    command,
    desk,
    game,
    playable,
    seen,
    table_of,
)  # fmt: skip

EN = {
    "columns": ("Points", "Tricks", "Total"), "title": "Hearts (CardEMS)", "turn": "to play", "breach": "illegal",
    "proof": "proved", "question": "question", "enter": "Enter the card", "undo": "Undo", "scores": "Scores",
    "help": "Help", "menu": "Menu", "hand": "Hand 1", "pass": "Pass left ←", "shut": "Hearts not broken",
    "trick": "Trick {} of 13", "back": "Take {} back",
}  # fmt: skip
PT = {
    "columns": ("Pontos", "Vazas", "Total"), "title": "Copas (CardEMS)", "turn": "é a vez", "breach": "ilegal",
    "proof": "provado", "question": "pergunta", "enter": "Indicar a carta", "undo": "Desfazer", "scores": "Pontuação",
    "help": "Ajuda", "menu": "Menu", "hand": "Mão 1", "pass": "Passar à esquerda ←", "shut": "Copas por quebrar",
    "trick": "Vaza {} de 13", "back": "Retirar {}",
}  # fmt: skip
BOTH = pytest.mark.parametrize(("language", "said"), [("en", EN), ("pt-PT", PT)], ids=["en", "pt-PT"])


def seats(said: dict, rows: list[tuple], *, command: str = "seat") -> tuple[SeatView, ...]:
    """Seats from rows of: card, mark, order, meaning of the lamp, tricks taken."""
    return tuple(
        SeatView(
            seat, name, card=card(laid) if laid and laid != "?" else None, covered=laid == "?", mark=mark, order=order,
            turn=lamp == "turn", points="0", tricks=str(tricks), total="0", lamp=MEANINGS[lamp],
            lamp_words=said.get(lamp, ""), tap=Tap(name, Command("card" if lamp == "turn" else command, str(seat))),
        )
        for seat, (name, (laid, mark, order, lamp, tricks)) in enumerate(zip(NAMES, rows, strict=True))
    )  # fmt: skip


def playing(said: dict, trick: int, enter: Command, withdraw: f.Withdraw | None = None, **how: bool) -> dict:
    """What stands round every table in play."""
    taps = [Tap(said["enter"], enter, "return")]
    if withdraw is not None:
        face = withdraw.card.face("pt" if said is PT else "en")
        taps.append(Tap(said["back"].format(face), withdraw, "w", **how))
    taps += [Tap(said["undo"], Command("undo"), "u"), *standing(said)]
    chips = (said["hand"], said["pass"], said["shut"], said["trick"].format(trick))
    return {
        "language": "pt-PT" if said is PT else "en", "title": said["title"], "taps": tuple(taps),
        "chips": tuple((chip, "plain") for chip in chips), "column_words": said["columns"],
    }  # fmt: skip


def standing(said: dict) -> tuple[Tap, ...]:
    return (
        Tap(said["scores"], Command("scores"), "i"), Tap(said["help"], Command("help"), "f1"),
        Tap(said["menu"], Command("menu"), "escape"),
    )  # fmt: skip


# --- whole screens ---------------------------------------------------------------------------------------------------


def test_before_a_match():
    assert seen(table_of(""), desk()) == Screen(
        language="en",
        title="tablepi",
        headline="Hearts (CardEMS)",
        last="Seats, clockwise: 0 (N) Rita, 1 (E) Ada, 2 (S) Bo, 3 (W) Cleo.",
        taps=(
            Tap("Start the match", new_match(SETUP), "return", strong=True),
            Tap("Other rules", Command("rules"), "n"),
            Tap("Players: 4", Command("players"), "p"),
            Tap("Agreed", Command("agreed"), "a"),
            Tap("Help", Command("help"), "f1"),
            Tap("Português", Command("language"), "l"),
            Tap("Leave", Command("sure", "leave"), "escape"),
        ),
        column_words=("Points", "Tricks", "Total"),
    )


@BOTH
def test_passing(language, said):
    table = table_of(PASSING + '{"fact":"pass","seat":1,"count":2}')
    base = seats(said, [("", "", 0, "idle", 0)] * 4, command="pass")
    receivers = ("→ Ada", "→ Bo ✗ 2", "→ Cleo", "→ Rita")
    assert seen(table, desk(language)) == Screen(
        language=language,
        title=said["title"],
        seats=tuple(
            replace(s, lamp_words=w, tap=None if s.seat == 1 else s.tap) for s, w in zip(base, receivers, strict=True)
        ),
        chips=((said["hand"], "plain"), (said["pass"], "warn")),
        headline=said["pass"],
        ruling={
            "en": "Ada passes 2 cards: 3 must be passed.",
            "pt-PT": "Ada passa 2 cartas: têm de se passar 3.",
        }[language],
        ruling_tone="bad",
        last={
            "en": "3 cards each. Touch a player who passes another number.",
            "pt-PT": "3 cartas cada um. Toquem em quem passar outro número.",
        }[language],
        taps=(
            Tap({"en": "All have passed", "pt-PT": "Todos passaram"}[language], f.Passed(), "return", strong=True),
            Tap(said["undo"], Command("undo"), "u"),
            *standing(said),
        ),
        column_words=said["columns"],
    )


@BOTH
def test_opening(language, said):
    assert seen(table_of(held()), desk(language)) == Screen(
        seats=seats(said, [("", "", 0, "idle", 0)] * 4, command="card"),
        headline={"en": "Whoever holds 2♣ opens.", "pt-PT": "Sai quem tem 2♣."}[language],
        centre=MEANINGS["turn"],
        **playing(said, 1, Command("whose")),
    )


@BOTH
def test_a_card_that_nobody_can_check_yet(language, said):
    rows = [
        ("6D", "", 2, "idle", 0),
        ("QS", "unproven", 3, "idle", 0),
        ("", "", 0, "turn", 0),
        ("5D", "", 1, "idle", 1),
    ]
    withdraw = f.Withdraw(seat=1, card=card("QS"))
    assert seen(table_of(OPENING_HAND + "3:5D 0:6D 1:QS"), desk(language)) == Screen(
        seats=seats(said, rows),
        headline={"en": "Bo to play.", "pt-PT": "É a vez de Bo."}[language],
        ruling={
            "en": "Ada plays Q♠: legal only without diamonds in hand.",
            "pt-PT": "Ada joga D♠: só é legal sem ouros na mão.",
        }[language],
        **playing(said, 2, Command("card", "2"), withdraw),
    )


@BOTH
def test_a_breach_says_what_is_expected_and_what_can_be_done(language, said):
    rows = [("", "", 0, "turn", 0), ("6D", "breach", 2, "breach", 0), ("", "", 0, "idle", 0), ("5D", "", 1, "idle", 1)]
    assert seen(table_of(BREACH), desk(language)) == Screen(
        seats=seats(said, rows),
        headline={"en": "Rita to play.", "pt-PT": "É a vez de Rita."}[language],
        ruling={
            "en": "Ada plays 6♦ out of turn: it was Rita's turn. Take it back, or play on: then it stands.",
            "pt-PT": "Ada joga 6♦ fora de vez: era a vez de Rita. Retirem-na, ou continuem: nesse caso, fica jogada.",
        }[language],
        ruling_tone="bad",
        **playing(said, 2, Command("card", "0"), f.Withdraw(seat=1, card=card("6D")), strong=True),
    )


@BOTH
def test_a_proof_stays_when_the_next_card_is_played(language, said):
    rows = [
        ("KC", "", 1, "idle", 1), ("4D", "unproven", 2, "proof", 0), ("9C", "", 3, "idle", 1), ("", "", 0, "turn", 1),
    ]  # fmt: skip
    assert seen(table_of(PROOF + "2:9C"), desk(language)) == Screen(
        seats=seats(said, rows),
        headline={"en": "Cleo to play.", "pt-PT": "É a vez de Cleo."}[language],
        ruling={
            "en": "In trick 2 Ada did not follow diamonds while holding 4♦: it came in trick 4. The same in trick 3.",
            "pt-PT": "Na vaza 2, Ada não serviu ouros, tendo 4♦ na mão: jogou essa carta na vaza 4. O mesmo na vaza 3.",
        }[language],
        ruling_tone="bad",
        last={"en": "Bo plays 9♣.", "pt-PT": "Bo joga 9♣."}[language],
        **playing(said, 4, Command("card", "3"), f.Withdraw(seat=2, card=card("9C"))),
    )


@BOTH
def test_a_question_with_its_answers(language, said):
    rows = [("6C", "", 2, "idle", 0), ("7C", "", 3, "question", 0), ("", "", 0, "turn", 0), ("8C", "", 1, "idle", 1)]
    unknown = {"en": "Not known", "pt-PT": "Não se sabe"}[language]
    assert seen(table_of(DOUBT), desk(language)) == Screen(
        seats=seats(said, rows),
        headline={"en": "Bo to play.", "pt-PT": "É a vez de Bo."}[language],
        ruling={
            "en": "Ada's 3♠ in trick 1 looks wrong (suit not followed), but a card may be misread or missing: please "
            "look.",
            "pt-PT": "A jogada de Ada na vaza 1, 3♠, parece errada (naipe não servido), mas pode haver uma carta mal "
            "lida ou por ver: vejam, por favor.",
        }[language],
        ruling_tone="warn",
        question={
            "en": "Which card did Ada lay in trick 1: 3♠ or 3♣?",
            "pt-PT": "Que carta jogou Ada na vaza 1: 3♠ ou 3♣?",
        }[language],
        answers=(
            Tap("3♠", f.Answer(question="q10", card=card("3S")), "f2", card=card("3S")),
            Tap("3♣", f.Answer(question="q10", card=card("3C")), "f3", card=card("3C")),
            Tap(unknown, Command("later", "q10"), "f4"),
        ),
        **playing(said, 2, Command("card", "2"), f.Withdraw(seat=1, card=card("7C"))),
    )


def test_a_covered_card():
    rows = [
        ("2C", "", 1, "idle", 0), ("3C", "", 2, "idle", 0), ("?", "pending", 3, "question", 0),
        ("5C", "pending", 4, "idle", 0),
    ]  # fmt: skip
    shown = seen(table_of(COVERED), desk())
    assert shown == Screen(
        seats=seats(EN, rows),
        headline="Who leads is not known yet.",
        ruling="Cleo's 5♣ in trick 1 looks wrong (out of turn), but a card may be misread or missing: please look.",
        ruling_tone="warn",
        question="Bo's card in trick 1 was not seen: which card is it?",
        answers=(
            Tap("Choose the card", Command("answer", "q6"), "f2", strong=True),
            Tap("No card is missing", f.Answer(question="q6"), "f3"),
            Tap("Not known", Command("later", "q6"), "f4"),
        ),
        centre=MEANINGS["turn"],
        **playing(EN, 2, Command("whose"), f.Withdraw(seat=3, card=card("5C"))),
    )


@BOTH
def test_the_end_of_a_hand(language, said):
    base = seats(said, [("", "", 0, "idle", 0)] * 4)
    shown = seen(table_of(SCORED), desk(language))
    assert shown == Screen(
        language=language,
        title=said["title"],
        seats=tuple(replace(s, tap=None, total=total) for s, total in zip(base, ("20", "6", "0", "0"), strict=True)),
        chips=((said["hand"], "plain"), (said["pass"], "plain")),
        headline={"en": "Next hand: Ada deals.", "pt-PT": "Mão seguinte: dá Ada."}[language],
        grid=Grid(
            said["scores"],
            ("", *NAMES),
            ((said["hand"], "20", "6", "0", "0"), ("Total", "20", "6", "0", "0")),
            ({"en": "Hand 1: no offence stands.", "pt-PT": "Mão 1: nenhuma infração."}[language],),
        ),
        taps=(
            Tap({"en": "Next hand", "pt-PT": "Mão seguinte"}[language], f.Hand(dealer=1), "return", strong=True),
            Tap({"en": "Who deals?", "pt-PT": "Quem dá?"}[language], Command("dealer"), "n"),
            Tap(said["undo"], Command("undo"), "u"),
            *standing(said)[1:],
        ),
        column_words=said["columns"],
    )


def numbers(script: str) -> list[tuple[str, str, str]]:
    return [(seat.points, seat.tricks, seat.total) for seat in seen(table_of(script), desk()).seats]


def chips(script: str) -> list[str]:
    return [text for text, _ in seen(table_of(script), desk()).chips]


def test_bids_stand_at_their_seats_as_they_come():
    shown = seen(table_of(MOMENTS["bidding, some have"]), desk())
    assert shown.column_words == ("Bid", "Tricks", "Total")
    assert [(s.points, s.turn, s.lamp_words) for s in shown.seats] == [
        ("–", False, ""), ("3", False, ""), ("nil", False, ""), ("–", True, "bids"),
    ]  # fmt: skip
    assert (shown.headline, shown.ruling) == ("Cleo to bid.", "Bo bids nil.")
    assert [tap.label for tap in shown.taps if tap.strong] == ["Enter the bid"]


def test_a_hand_of_spades_shows_contract_tricks_and_bags_of_each_side_and_a_nil_that_failed():
    assert chips(NIL_FAILED) == [
        "Hand 1", "Spades not broken", "Trick 2 of 13",
        "Rita & Bo: tricks 1/5, bags 0", "Ada & Cleo: tricks 0/7, bags 0",
    ]  # fmt: skip
    assert numbers(NIL_FAILED) == [("5", "0", "0"), ("3", "0", "0"), ("nil ✗", "1", "0"), ("4", "0", "0")]
    later = SPADES_SCORED + '{"fact":"hand"} '
    assert chips(later)[1:] == [
        "Spades not broken", "Trick 1 of 13", "Rita & Bo: tricks 0/–, bags 2", "Ada & Cleo: tricks 0/–, bags 0",
    ]  # fmt: skip
    assert [total for _, _, total in numbers(later)] == ["−48", "−70", "−48", "−70"]


def test_an_exchange_says_who_gives_cards():
    shown = seen(table_of(MOMENTS["exchange, the partner gives"]), desk())
    assert (shown.headline, shown.seats[0].lamp_words) == ("Rita to give cards.", "gives cards")
    assert shown.seats[2].points == "blind"


def test_the_end_of_a_hand_of_spades():
    grid = seen(table_of(SPADES_SCORED), desk()).grid
    assert grid == Grid(
        "Scores",
        ("", "Rita & Bo", "Ada & Cleo"),
        (("Hand 1", "−48", "−70"), ("Total", "−48", "−70"), ("Bags", "2", "0")),
        (
            "Rita & Bo: bid 5, tricks 7: −48 (total −48, bags 2)",
            "Ada & Cleo: bid 7, tricks 6: −70 (total −70, bags 0)",
            "Bo: nil failed.",
            "Hand 1: no offence stands.",
        ),
    )


@pytest.mark.parametrize(("players", "out"), [(3, "2♦"), (4, ""), (5, "2♣ 2♦"), (6, "3♣ 4♣ 2♦ 3♦"), (7, "3♣ 2♦ 3♦")])
def test_r012_the_cards_that_are_not_played_with_are_shown_until_the_first_card_lies(players, out):
    match = game("hearts-black-maria", players)
    before, dealt = seen(table_of(match), desk()), seen(table_of(match + HAND), desk())
    assert before.last == (f"Not in the deck: {out}." if out else "")
    assert [text for text, tone in dealt.chips if tone == "warn"][:-1] == ([f"Not in the deck: {out}"] if out else [])
    opening = "0:3C" if players == 5 else "0:2C"
    assert not any("deck" in text for text in chips(match + HAND + PASSED + opening))


@BOTH
def test_the_shooter_of_a_moon_is_asked(language, said):
    shown = seen(table_of(MOON), desk(language))
    assert shown.headline == {"en": "Bo chooses.", "pt-PT": "É a vez de Bo escolher."}[language]
    assert (
        shown.question
        == {
            "en": "Bo has shot the moon: do the points come off that total, or do all the others get them?",
            "pt-PT": "Bo apanhou os pontos todos: tiram-se a esse total, ou levam-nos todos os outros?",
        }[language]
    )
    assert [(tap.action, tap.key) for tap in shown.answers] == [
        (f.Choose(seat=2, choice="self"), "f2"), (f.Choose(seat=2, choice="others"), "f3"),
    ]  # fmt: skip
    assert shown.seats[2].lamp_words == said["question"]


def test_a_moon_that_was_chosen_is_told_with_the_audit_of_its_hand():
    assert seen(table_of(MOMENTS["moon chosen"]), desk()).grid.notes == (
        "Bo has shot the moon: the points come off that total.", "Hand 1: no offence stands.",
    )  # fmt: skip


def test_a_seat_whose_time_is_up_and_one_that_has_left_play_their_lowest_card():
    late, left = (seen(table_of(MOMENTS[moment]), desk()) for moment in ("time is up", "a player has left"))
    assert late.headline == "Ada to play: the lowest legal card."
    assert left.headline == "Ada has left: the lowest legal card is to be laid."
    assert (late.seats[1].lamp_words, left.seats[1].lamp_words) == ("time is up", "has left")
    assert (late.ruling_tone, left.ruling_tone) == ("warn", "warn")


def test_a_match_that_ends_because_all_but_one_have_left_shows_places_and_totals_and_that_the_hand_is_not_scored():
    shown = seen(table_of(MOMENTS["three have left"]), desk())
    assert (shown.headline, shown.grid) == (
        "The match is over: Cleo first.",
        Grid(
            "Scores",
            ("", *NAMES),
            (("Total", "0", "0", "0", "0"), ("Place", "2", "4", "3", "1")),
            ("Hand 1 was not finished and is not scored.",),
        ),
    )


def test_a_match_that_is_over_shows_the_place_of_each_side():
    assert seen(table_of(MOMENTS["spades over"]), desk()).grid.rows[1:] == (
        ("Total", "−48", "−70"), ("Bags", "2", "0"), ("Place", "1", "2"),
    )  # fmt: skip
    script = match() + HAND + '{"fact":"end-hand","points":{"0":6,"1":14,"2":6}} {"fact":"end-match"}'
    grid = seen(table_of(script), desk()).grid
    assert (grid.rows[-1], grid.notes) == (("Place", "2", "4", "2", "1"), ("Hand 1: no offence stands.",))


def test_points_that_a_card_takes_off_stand_at_the_seat_with_a_minus():
    script = game("hearts-omnibus") + HAND + PASSED + FIRST_TRICK + "3:5D 0:JD 1:2D 2:3D"
    assert [points for points, _, _ in numbers(script)] == ["−10", "0", "0", "0"]
    table = table_of(script)
    assert seen(table, command(table, "end-hand")).picker.title == "26 points to give: Rita −10, Ada 0, Bo 0, Cleo 0"


@pytest.mark.parametrize("language", ["en", "pt-PT", "pt-BR"])
def test_the_score_of_a_revoke_says_why_and_what_nobody_is_punished_for_says_so(language):
    why = {
        "en": "Hand 1: offences that stand: 1. The contract of Ada & Cleo does not score (Cleo's revoke in trick 1); "
        "what is lost counts.",
        "pt-PT": "Mão 1: infrações confirmadas: 1. O contrato de Ada & Cleo não pontua (renúncia de Cleo na vaza 1); o "
        "que se perde conta.",
        "pt-BR": "Rodada 1: infrações confirmadas: 1. O contrato de Ada & Cleo não pontua (renúncia de Cleo na vaza "
        "1); o que se perde conta.",
    }
    assert why[language] in seen(table_of(REVOKED), desk(language)).grid.notes
    recorded = REVOKED.replace('"options": {}', '"options": {"revoke": "record"}')
    assert "Hand 1: offences that stand: 1. These rules set no penalty: it is only recorded." in (
        seen(table_of(recorded), desk()).grid.notes
    )


def test_the_last_hand_of_a_match_says_who_took_the_points_for_an_offence():
    script = match(illegal="26", target=26) + HAND + PASSED + "0:2C 1:3C 2:2D 3:5C 3:6C 0:7C 1:8C 2:9C "
    grid = seen(table_of(script + '{"fact":"end-hand","points":{"0":20,"1":6}}'), desk()).grid
    assert grid.notes[0] == "Hand 1: offences that stand: 1. Bo takes 26 for the offence, the others nothing."


def test_a_bid_that_is_not_allowed_says_that_it_stands_and_how_it_is_put_right():
    during, after = (
        seen(table_of(MOMENTS[moment]), desk())
        for moment in ("blind nil of a side that is not behind", "the last bid is not allowed")
    )
    for shown, name in ((during, "Ada"), (after, "Rita")):
        assert (shown.ruling, shown.ruling_tone) == (
            f"{name} bids blind nil: that side is 0 points behind, 100 are needed. "
            "The bid stands until it is corrected.",
            "bad",
        )
    assert during.last == "Touch a player to enter that bid, or to put it right."
    assert after.last == "To put the bid right: Menu, A bid of any player."
    table = table_of(MOMENTS["the last bid is not allowed"])
    assert "A bid of any player" in [tap.label for tap in seen(table, command(table, "menu")).picker.taps]
    assert seen(table_of(MOMENTS["the last bid is not allowed"] + "1:2C"), desk()).last == ""


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("en", "Rita & Bo: tricks 0/–, bags 0", "Rita & Bo: tricks 1/5, bags 0"),
        ("pt-PT", "Rita & Bo: vazas 0/–, sacos 0", "Rita & Bo: vazas 1/5, sacos 0"),
        ("pt-BR", "Rita & Bo: vazas 0/–, sacos 0", "Rita & Bo: vazas 1/5, sacos 0"),
    ],
)
def test_a_contract_names_its_side_first_and_says_when_nothing_has_been_bid(language, before, after):
    told = [seen(table_of(script), desk(language)).chips[3][0] for script in (SPADES + bid(1, 3), NIL_FAILED)]
    assert told == [before, after]


# --- what a table keeps private --------------------------------------------------------------------------------------


def test_r081_a_proof_names_rule_and_seat_and_the_plays_only_when_somebody_asks():
    table = table_of(PRIVATE_PROOF)
    shown = seen(table, desk())
    assert shown.ruling == "It is proved that Ada has played against the rules: suit not followed."
    assert ("Show plays", "p") in [(tap.label, tap.key) for tap in shown.taps]
    unveiled = seen(table, command(table, "unveil"))
    assert unveiled.ruling == PROVED
    assert "Show plays" not in [tap.label for tap in unveiled.taps]
    later = table_of(PRIVATE_PROOF + "2:9C")
    assert seen(later, command(table, "unveil")).ruling == shown.ruling  # until the next card


def test_r081_the_scores_of_a_hand_name_the_plays_only_when_somebody_asks():
    table = table_of(MOMENTS["private proof, scored"])
    assert "Ada (suit not followed); Ada (suit not followed)" in seen(table, desk()).grid.notes
    offences = "Trick 2: Ada, 2♠ (suit not followed); Trick 3: Ada, 3♠ (suit not followed)"
    assert offences in seen(table, command(table, "unveil")).grid.notes


def test_r081_a_seat_shows_how_many_cards_it_holds_and_not_its_tricks():
    shown = seen(table_of(MOMENTS["private trick over"]), desk())
    assert shown.column_words == ("Points", "Cards", "Total")
    assert [seat.tricks for seat in shown.seats] == ["12"] * 4
    assert [seat.tricks for seat in seen(table_of(PRIVATE_PROOF), desk()).seats] == ["9", "9", "10", "10"]


def test_r080_the_pauses_that_the_rules_set_are_told_and_the_trick_lies_until_the_next_is_led():
    shown = seen(table_of(MOMENTS["private trick over"]), desk())
    assert (shown.last, [str(seat.card) for seat in shown.seats]) == (
        "2 seconds until the next trick.", ["2C", "3C", "4C", "5C"],
    )  # fmt: skip
    assert "The rules give everybody 5 seconds to read this." in (
        seen(table_of(MOMENTS["private proof, scored"]), desk()).grid.notes
    )


# --- what is told, and for how long ----------------------------------------------------------------------------------


def told(script: str) -> tuple[str, str, str]:
    shown = seen(table_of(script), desk())
    return shown.ruling, shown.ruling_tone, shown.last


def rulings(script: str) -> list[tuple[str, str]]:
    """Every ruling that is told, with its tone."""
    shown = seen(table_of(script), desk())
    return [(shown.ruling, shown.ruling_tone), *shown.standing]


PROVED = "In trick 2 Ada did not follow diamonds while holding 4♦: it came in trick 4. The same in trick 3."


def test_a_proof_is_told_until_the_next_trick_begins():
    assert told(PROOF) == (PROVED, "bad", "")
    assert told(PROOF + "2:9C 3:TC") == (PROVED, "bad", "Cleo plays 10♣. Rita takes trick 4.")
    assert told(PROOF + "2:9C 3:TC 0:QC") == ("Rita plays Q♣.", "plain", "")


def test_a_breach_that_was_played_over_is_told_until_the_trick_ends_without_the_advice():
    breach = "Ada plays 6♦ out of turn: it was Rita's turn."
    assert told(BREACH + "0:7D") == (breach, "bad", "Rita plays 7♦.")
    after = told(BREACH + "0:7D 2:8D")
    assert after == (breach, "bad", "Bo plays 8♦. Bo takes trick 2.")
    assert told(BREACH + "0:7D 2:8D 2:9D") == ("Bo plays 9♦.", "plain", "")


def test_a_breach_that_was_taken_back_is_told_no_longer():
    assert told(BREACH + "1-6D") == ("Ada takes 6♦ back.", "plain", "")
    assert told(BREACH + "1-6D 0:7D") == ("Rita plays 7♦.", "plain", "")


def test_a_fresh_breach_is_told_before_an_older_proof():
    assert rulings(PROOF + "3:TC") == [
        ("Cleo plays 10♣ out of turn: it was Bo's turn. Take it back, or play on: then it stands.", "bad"),
        (PROVED, "bad"),
    ]
    assert told(PROOF + "3:TC")[2] == ""


def test_each_ruling_is_told_once_the_latest_first_in_its_own_tone():
    assert rulings(held() + "0~2C 1~3S 2~4C 3~5C 3~8C 2:9C 0~6C 1~7C") == [
        (
            "Ada's 3♠ in trick 1 looks wrong (suit not followed), but a card may be misread or missing: please look.",
            "warn",
        ),
        ("Bo plays 9♣ out of turn: it was Rita's turn.", "bad"),
    ]
    revoke = "In trick 2 Rita did not follow hearts while holding 9♥: it came in trick 3."
    assert rulings(MOMENTS["revoke in spades"]) == [
        (revoke, "bad"), ("Cleo plays 8♥ out of turn: it was Ada's turn.", "bad"),
    ]  # fmt: skip


LATER = ' {"fact":"lost","device":"reader-3"} {"fact":"found","device":"reader-3"}'


def test_a_ruling_is_not_told_again_as_the_latest_play_when_something_else_happens():
    early = OPENING_HAND + "0:5H"
    breach = "Rita plays 5♥ out of turn: it was Cleo's turn. Take it back, or play on: then it stands."
    assert told(early) == told(early + LATER) == (breach, "bad", "Hearts are broken from now on.")


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_played_no_ruling_is_told_twice(seed):
    """Careless players at every kind of table, with readers that come and go."""
    chance = Random(seed)
    game = Told(chance.choice([EVEN, BIDS, TOURNAMENT, black_maria(4)]))
    while (felt := game.table.state.felt) is not None and felt.number < 10 and not felt.complete:
        free = each(felt.deck & ~felt.seen)
        written = str(chance.choice([*free])) if chance.random() < 0.3 else playable(game.table.state)
        seat = felt.turn if felt.turn is not None and chance.random() < 0.9 else chance.randrange(4)
        for script in (f"{seat}{chance.choice(':#~')}{written}", LATER):
            game.tell(script)
            shown = seen(game.table, desk())
            told = " ".join((shown.ruling, *(text for text, _ in shown.standing), shown.last))
            sentences = [line for line in told.split(". ") if not line.startswith("The same in trick")]
            assert len(sentences) == len(set(sentences)), told


def test_nobody_is_marked_where_only_somebody_is_guilty():
    shown = seen(table_of(SOMEONE), desk())
    assert ([seat.mark for seat in shown.seats], shown.ruling_tone) == ([""] * 4, "bad")
    assert "Take it back" not in shown.ruling


def test_a_doubt_that_is_cleared_is_told_as_cleared():
    assert told(DOUBT + '{"fact":"answer","question":"q10","card":"3C"}') == (
        "Corrected: Ada played 3♣, not 3♠. Nothing is held against Ada in trick 1 any more.", "good", "",
    )  # fmt: skip


def test_a_doubt_that_is_confirmed_is_told_as_proved():
    ruling, tone, _ = told(DOUBT + '{"fact":"answer","question":"q10","card":"3S"} {"fact":"confirm","n":10}')
    assert (ruling, tone) == ("In trick 1 Ada did not follow clubs while holding 7♣: it came in trick 2.", "bad")


def test_two_cards_of_one_seat_are_asked_about_and_no_advice_is_given():
    shown = seen(table_of(TWO_CARDS), desk())
    assert (shown.ruling, shown.question) == (
        "Ada lays a second card, 4♦, beside 3♣.", "Ada has laid two cards: which one counts, 3♣ or 4♦?",
    )  # fmt: skip
    assert [tap for tap in shown.taps if tap.strong] == []


@pytest.mark.parametrize(("first", "second"), [("1~3C", "1#3S"), ("1~3C", "1~3S"), ("1~3C", "1~4D")])
@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "Two cards were read from Ada: which one counts, 3♣ or {}?"),
        ("pt-PT", "Foram lidas duas cartas de Ada: qual conta, 3♣ ou {}?"),
        ("pt-BR", "Foram lidas duas cartas de Ada: qual conta, 3♣ ou {}?"),
    ],
)
def test_readings_that_differ_are_told_as_two_whether_a_tag_or_a_camera_told_them(first, second, language, asked):
    shown = seen(table_of(f"{held()} 0~2C {first} {second}"), replace(desk(), language=language))
    assert shown.question == asked.format({"3S": "3♠", "4D": "4♦"}[second[2:]])


def test_once_the_match_is_over_the_scores_tell_everything():
    assert told(MOMENTS["spades over"]) == ("", "plain", "")


def test_what_was_undone_is_told():
    assert told(MOMENTS["undone"]) == ("Undone: Cleo plays 5♣. Trick 1 is open again.", "plain", "")


def test_what_does_not_count_is_told_with_its_reason():
    assert told(held() + "0:2C 0-3C") == ("Not counted: that card does not lie there.", "warn", "")


def test_who_took_a_card_back_is_asked_for_another():
    shown = seen(table_of(TAKEN_BACK), desk())
    assert shown.headline == "Ada lays another card."
    assert [(s.turn, s.covered, s.card) for s in shown.seats][1] == (True, False, None)


def test_a_hand_without_a_score_says_which_card_is_not_known_and_no_question_can_wait_any_longer():
    table = almost_played()
    shown = seen(table, replace(desk(), later=tuple(question.id for question in table.state.questions)))
    assert shown.headline == "Bo's card in trick 13 is not known, so the hand has no score yet."
    assert shown.question.startswith("Which card did Ada lay")
    assert [tap.action for tap in shown.answers if tap.action == Command("later", table.state.questions[0].id)] == []
    assert "Enter the card" not in [tap.label for tap in shown.taps]


def almost_played() -> Table:
    """A whole hand, two cards of the last trick unreadable."""
    game = Told(held())
    while (felt := game.table.state.felt) is not None and not felt.complete:
        seat, written = felt.turn or 0, playable(game.table.state)
        blurred = felt.number == felt.size and seat in (1, 2)
        dim = {"source": "camera", "confidence": 0.2, "steady": 0.4} if blurred else {}
        game.tell([from_dict({"fact": "seen" if blurred else "play", "seat": seat, "card": written, **dim})])
    return game.table


def test_lost_readers_and_unknown_tags_are_told_with_what_to_do():
    script = held() + '0:2C {"fact":"lost","device":"reader-2"} {"fact":"lost","device":"camera"} '
    assert seen(table_of(script + '{"fact":"tag","seat":1,"uid":"04AA"}'), desk()).alerts == (
        "No reader for Bo: enter the cards here.", "The camera is missing; the game goes on.", "Unknown tag: 04AA",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "told", "at_the_seat"),
    [
        ("en", "Two cards on Bo's reader: take one away.", "two cards"),
        ("pt-PT", "Duas cartas no leitor de Bo: tirem uma.", "2 cartas"),
        ("pt-BR", "Duas cartas no leitor de Bo: tirem uma.", "2 cartas"),
    ],
)
def test_a_reader_on_which_two_cards_lie_is_not_said_to_be_missing_but_what_to_do(language, told, at_the_seat):
    lost = f.Lost(device="reader-2", reason=presence.TWO_CARDS)  # as the reader itself says it
    table = step(table_of(held() + "0:2C"), lost)
    shown = seen(table, desk(language))
    assert (shown.alerts, shown.seats[2].lamp_words) == ((told,), at_the_seat)
    found = seen(step(table, f.Found(device="reader-2")), desk(language))
    assert (found.alerts, found.seats[2].lamp_words) == ((), "")


def test_two_cards_on_a_reader_of_no_seat_are_told_by_its_number_or_its_name_and_in_the_centre():
    table = table_of(held() + "0:2C")
    for device in ("reader-8", "north"):
        table = step(table, f.Lost(device=device, reason=presence.TWO_CARDS))
    shown = screen(table, desk(), words("en", tuple(NAMES)), readers={"reader-8": None, "north": None})
    assert shown.alerts == ("Two cards on reader 8: take one away.", "Two cards on north: take one away.")
    assert shown.centre_words == "two cards"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("The camera is missing; the game goes on.", "Camera 2 is missing; the game goes on.")),
        ("pt-PT", ("Falta a câmara; o jogo continua.", "Falta a câmara 2; o jogo continua.")),
        ("pt-BR", ("Falta a câmera; a partida continua.", "Falta a câmera 2; a partida continua.")),
    ],
)
def test_a_camera_that_is_missing_is_told_by_its_number_or_its_name(language, told):
    table = table_of(held() + "0:2C")
    for device in ("camera", "camera-2", "camera-left"):
        table = step(table, f.Lost(device=device))
    named = told[1].replace("2", "left")
    assert seen(table, desk(language)).alerts == (*told, named)


@pytest.mark.parametrize(
    ("language", "dark", "covered", "frozen"),
    [
        (
            "pt-PT", "a imagem está demasiado escura: a objetiva está tapada, ou a luz apagada?",
            "a câmara mexeu-se, ou os marcadores estão tapados", "sempre a mesma imagem",
        ),
        (
            "pt-BR", "a imagem está escura demais: a lente está tapada, ou a luz apagada?",
            "a câmera se mexeu, ou os marcadores estão tapados", "sempre a mesma imagem",
        ),
    ],
)  # fmt: skip
def test_why_a_camera_sees_nothing_is_told_in_the_words_of_the_table(language, dark, covered, frozen):
    missing = {"pt-PT": "Falta a câmara; o jogo continua.", "pt-BR": "Falta a câmera; a partida continua."}[language]
    reasons = {eye.TOO_DARK: dark, eye.COVERED: covered, camera.FROZEN: frozen}
    told = [seen(step(table_of(held()), f.Lost(device="camera", reason=why)), desk(language)).alerts for why in reasons]
    assert told == [(f"{missing} ({why})",) for why in reasons.values()]


def test_any_other_reason_of_a_missing_device_stands_in_brackets():
    table = table_of(held() + "0:2C")
    coarse = "the picture is too coarse: a rank of 8 mm has 9 pixels, 16 are wanted"
    for device, reason in (("reader-2", "/dev/ttyUSB0: not plugged in"), ("camera", coarse), ("north", None)):
        table = step(table, f.Lost(device=device, reason=reason))
    assert seen(table, desk()).alerts == (
        "No reader for Bo: enter the cards here. (not plugged in; /dev/ttyUSB0)",
        "The camera is missing; the game goes on. "
        "(The cards are too small for the camera (9 of 16 pixels): hang it lower.)",
        "north is missing; the game goes on.",
    )
    again = step(table, f.Lost(device="reader-2", reason=presence.TWO_CARDS))
    assert seen(again, desk()).alerts[-1] == "Two cards on Bo's reader: take one away."  # the latest reason holds


def test_faults_that_the_table_cannot_know_are_told_too():
    table = table_of(held())
    shown = screen(table, desk(), words("en", tuple(NAMES)), alerts=("the disk is full",))
    assert shown.alerts == ("the disk is full",)


def test_without_a_reader_entering_the_card_is_the_natural_next_step():
    table = table_of(held() + "0:2C")
    strong = [
        [tap.label for tap in screen(table, desk(), words("en", tuple(NAMES)), readers=readers).taps if tap.strong]
        for readers in ({}, {"reader-0": 0})
    ]
    assert strong == [["Enter the card"], []]


# --- pages -----------------------------------------------------------------------------------------------------------


def test_the_help_says_the_keys_of_its_language_and_then_the_lamps():
    table = table_of(held())
    english, portuguese = (seen(table, replace(command(table, "help"), language=each)).grid for each in ("en", "pt-PT"))
    assert (english.rows[0][0], portuguese.rows[0][0]) == (
        "2…10 J Q K A, then C D H S", "2…10 V D R A e depois P O C E",
    )  # fmt: skip
    brazilian = seen(table, replace(command(table, "help"), language="pt-BR")).grid
    assert brazilian.rows[0] == ("2…10 J Q K A e depois P O C E", "a próxima carta: valor e depois naipe (QE é Q♠)")
    lamps = seen(table, command(table, "help", "lamps")).grid
    assert [row[:2] for row in lamps.rows] == [
        ("white", "slow blink"), ("green", "steady"), ("red", "fast blink"), ("red", "three flashes"),
        ("amber", "one long flash, one short"), ("blue", "two flashes"), ("white", "long, with a short gap"),
        ("amber", "one short flash"),
    ]  # fmt: skip


def bid_keys(table: Table, at: Desk) -> list[tuple[str, str]]:
    """The rows of the help that say how a bid is entered."""
    return [row for row in seen(table, at).grid.rows if row[0].startswith("⏎,")]


def test_the_help_of_a_game_with_bids_says_their_keys_before_the_match_too():
    every = [
        ("⏎, 1…9", "the bid of the player in turn: its tricks"), ("⏎, Q W E R", "a bid of 10, 11, 12 or 13"),
        ("⏎, 0", "nil"), ("⏎, B", "blind nil"), ("⏎, X", "blind nil with an exchange"),
    ]  # fmt: skip
    table = table_of(SPADES)
    assert bid_keys(table, command(table, "help")) == every[:4]
    for options, keys in (({"exchange": True}, every), ({"nil": 0, "blind_nil": 0}, every[:2])):
        agreed = table_of(game("spades", **options) + HAND)
        assert bid_keys(agreed, command(agreed, "help")) == keys
    before = table_of("")
    assert bid_keys(before, command(before, "play-by:spades", "help")) == every[:4]
    assert bid_keys(before, command(before, "help")) == []
    hearts = table_of(held())
    assert bid_keys(hearts, command(hearts, "help")) == []


def test_a_page_covers_the_table_and_hides_the_words_beside_it():
    table = table_of(COVERED)
    for page in ("help", "lamps", "scores"):
        shown = seen(table, command(table, page))
        assert (shown.headline, shown.ruling, shown.question, shown.answers, shown.alerts) == ("", "", "", (), ())
        assert shown.grid is not None


def test_the_scores_say_who_shot_the_moon_and_which_offences_stand():
    script = PROOF + '{"fact":"end-hand","points":{"2":26}}'
    assert seen(table_of(script), desk()).grid.notes == (
        "Bo has shot the moon.",
        "Hand 1: offences that stand: 2. These rules set no penalty: it is only recorded.",
        "Trick 2: Ada, 2♠ (suit not followed); Trick 3: Ada, 3♠ (suit not followed)",
        "Not resolved: Trick 4: Ada, 4♦ (suit not followed). Later cards would have told.",
    )


def test_the_menu_offers_only_what_can_be_done_now():
    def labels(script: str) -> list[str]:
        table = table_of(script)
        return [tap.label for tap in seen(table, command(table, "menu")).picker.taps]

    every = [
        "Correct an earlier card",
        "A card of another player",
        "End the hand by agreement",
        "Misdeal: deal again",
        "End the match",
        "Pause the game",
    ]
    rest = ["Português", "Leave", "Back"]
    assert labels(OPENING_HAND) == [*every, *rest]
    assert labels(held()) == [*every[1:], *rest]
    assert labels(PASSING) == ["A player passes another number", *every[2:], *rest]
    assert labels(match()) == [*every[4:], *rest]
    assert labels(MOMENTS["match over"]) == rest


def test_a_card_of_the_last_trick_is_taken_back_only_until_its_side_plays_to_the_next():
    table = table_of(MOMENTS["spades broken"])  # seat 0 leads to trick 2
    offered = [
        {tap.label for tap in seen(table, command(table, f"seat:{seat}")).picker.taps}
        & {"Take 2♣ back", "Take 3♣ back"}
        for seat in (1, 2)
    ]
    assert offered == [{"Take 2♣ back"}, set()]


DEFAULT_NAMES = pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["North", "East", "South", "West"]),
        ("pt-PT", ["Norte", "Este", "Sul", "Oeste"]),
        ("pt-BR", ["Norte", "Leste", "Sul", "Oeste"]),
    ],
)


@DEFAULT_NAMES
def test_players_whom_nobody_has_named_are_called_in_the_language_of_the_display(language, names):
    unnamed = table_of(json.dumps({"fact": "match", "rules": "hearts-cardems", "players": Config().players}))
    table = step(step(unnamed, f.Hand(dealer=0)), f.Passed())
    shown = seen(table, desk(language))
    assert [seat.name for seat in shown.seats] == names
    who = seen(table, replace(command(table, "whose"), language=language)).picker
    assert [tap.label for tap in who.taps][:4] == names
    assert table.state.players == Config().players
    before = seen(table_of(""), replace(desk(language), setup=replace(SETUP, players=Config().players)))
    assert [word.strip(",.") for word in before.last.split()[-10::3]] == names


def test_a_name_that_would_turn_the_line_or_drive_a_terminal_is_shown_with_boxes_wherever_it_stands():
    odd = json.dumps(
        {"fact": "match", "rules": "hearts-cardems", "players": ["R\u202eta", "A\x1b[7mda", "B\n\0o", "Cleo"]}
    )
    table = table_of(odd + HAND + PASSED + FIRST_TRICK + "3:5D 1:6D")
    shown = seen(table, desk())
    assert [seat.name for seat in shown.seats] == ["R□ta", "A□[7mda", "B□□o", "Cleo"]
    assert shown.ruling.startswith("A□[7mda plays 6♦ out of turn: it was R□ta's turn.")
    assert [tap.label for tap in seen(table, command(table, "whose")).picker.taps][:2] == ["R□ta", "A□[7mda"]


def test_named_players_keep_their_names_whatever_they_are():
    table = table_of('{"fact":"match","rules":"hearts-cardems","players":["North","East","South","Wes"]}')
    assert [seat.name for seat in seen(table, desk("pt-PT")).seats] == ["North", "East", "South", "Wes"]


@pytest.mark.parametrize(("language", "said"), [("en", "no reader"), ("pt-PT", "sem leitor")])
def test_a_missing_reader_is_told_at_its_seat_and_another_device_in_the_centre(language, said):
    script = held() + '0:2C {"fact":"lost","device":"reader-2"} {"fact":"lost","device":"camera"}'
    shown = seen(table_of(script), desk(language))
    assert [seat.lamp_words for seat in shown.seats][2] == said
    assert shown.centre_words == {"en": "device missing", "pt-PT": "falta um aparelho"}[language]


def test_a_seat_that_has_passed_the_right_number_is_ticked():
    table = table_of(PASSING + '{"fact":"pass","seat":1,"count":3} {"fact":"lost","device":"reader-1"}')
    assert [seat.lamp_words for seat in seen(table, desk()).seats] == ["→ Ada", "→ Bo ✓", "→ Cleo", "→ Rita"]


def test_a_picker_of_cards_says_whose_where_it_is_known():
    table = table_of(held() + "0:2C")
    assert [seen(table, command(table, what)).picker.title for what in ("card:1", "card")] == [
        "Ada: which card?", "Which card?",
    ]  # fmt: skip


def test_an_early_heart_says_that_hearts_count_as_broken_from_then_on():
    assert told(OPENING_HAND + "3:5H")[0] == (
        "Cleo leads 5♥, hearts unbroken: legal only with nothing but hearts in hand. Hearts are broken from now on."
    )


def test_rule_sets_without_a_name_of_their_own_show_their_key():
    table = table_of("")
    odd = replace(desk(), setup=replace(SETUP, chosen="hearts-of-oak"))
    assert seen(table, odd).headline == "hearts-of-oak"


@pytest.mark.parametrize(
    ("doubt", "said"),
    [
        (": is its baud rate 9600?", "What reader-2 sends are no tags: is its baud rate 9600?"),
        ("", "What reader-2 sends are no tags: enter the cards here."),
    ],
)
def test_a_reader_that_nobody_understands_is_said(doubt, said):
    lost = f.Lost(device="reader-2", reason=f.NO_TAGS + doubt)
    assert seen(step(table_of(held()), lost), desk()).alerts == (said,)
