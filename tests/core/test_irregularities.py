"""What happens at the table, row by row of the rules page's table of that name, and the grades of a ruling; in Hearts
and in Spades wherever both have it.

Both games open alike here: seat 0 leads clubs to the first trick, of a hand without a pass (in Spades seat 3 has dealt,
and each bids three).
"""

from __future__ import annotations

import json

import pytest

from tablepi.cards import card
from tablepi.facts import from_dict
from tablepi.state import Line
from tablepi.views.lamps import lamps

from ..script import Told, held, match
from ..views.tables import desk, seen

HAND = '{"fact":"hand","dealer":3} '
HALF_EACH = '{"fact":"end-hand","points":{"0":13,"1":13}} '
MISDEAL = '{"fact":"misdeal"} '
END_MATCH = '{"fact":"end-match"} '

RANKS = "23456789TJQKA"
# Seat 0 has the clubs, 1 the diamonds, 2 the spades, 3 the hearts; but seat 1 holds a club, and seat 0 a diamond.
HANDS = {
    "0": " ".join(f"{rank}C" for rank in RANKS[:-1]) + " AD",
    "1": " ".join(f"{rank}D" for rank in RANKS[:-1]) + " AC",
    "2": " ".join(f"{rank}S" for rank in RANKS),
    "3": " ".join(f"{rank}H" for rank in RANKS),
}

in_both = pytest.mark.parametrize("game", ["hearts", "spades"])


def line(**said: object) -> str:
    return json.dumps(said) + " "


def begun(game: str, *, known: bool = False, **options: object) -> str:
    """A hand in which seat 0 is to lead clubs; *known*: everybody's cards have been scanned."""
    hand = line(fact="hand", dealer=3, **({"hands": HANDS} if known else {}))
    if game == "hearts":
        return match(**options) + (HAND + HALF_EACH) * 3 + hand
    return match("spades", **options) + hand + "".join(line(fact="bid", seat=seat, bid=3) for seat in range(4))


def agreed(game: str) -> str:
    """The hand ends by agreement: half the points each for seats 0 and 1; in Spades six tricks for 0 and 2, seven for
    the others."""
    return HALF_EACH if game == "hearts" else line(fact="end-hand", tricks={"0": 3, "1": 4, "2": 3, "3": 3})


def meanings(told: Told) -> list[str]:
    """What the lamps of the seats and the one in the centre say."""
    shining = lamps(told.table.state)
    return [lamp.meaning for lamp in (*shining.seats, shining.centre)]


def said(told: Told) -> str:
    """What the display says of the latest ruling that matters."""
    return seen(told.table, desk()).ruling


def first(told: Told, script: str) -> Line:
    """The ruling on one more card."""
    return told.tell(script)[0]


def plays(told: Told) -> list[tuple[int, str]]:
    """The cards of the trick in progress."""
    return [(laid.seat, str(laid.card)) for laid in told.table.state.deal.felt.trick]


def tricks(told: Told) -> list[tuple[int, int | None]]:
    """Who led each finished trick, and who won it."""
    return [(trick.lead, trick.winner) for trick in told.table.state.deal.felt.tricks]


def offences(told: Told) -> list[tuple[int, str, str, str]]:
    """What the audit of the latest hand says for certain: seat, card, rule, and how."""
    (audit,) = [r for r in told.lines if r.get("ruling") == "confirmed"][-1:]
    return [(o["seat"], o["card"], o["rule"], o["how"]) for o in audit["offences"]]


def unresolved(told: Told) -> list[tuple[int, str, str]]:
    """What the audit leaves open: seat, card and rule."""
    (audit,) = [r for r in told.lines if r.get("ruling") == "confirmed"][-1:]
    return [(o["seat"], o["card"], o["rule"]) for o in audit["unresolved"]]


def of_sides(told: Told) -> dict[str, tuple[int, int]]:
    """What the latest hand of Spades scored: points and bags of each side."""
    return {side: (s["score"], s["bags"]) for side, s in told.events("hand")[-1]["sides"].items()}


# --- an illegal card is shown, and the next player has not played ----------------------------------------------------

TAKEN_BACK = {
    "entered": ("0:2C 1:2D ", "1-2D "),
    "by reader": ("0#2C 1#2D ", '{"fact":"untag","seat":1,"card":"2D","source":"reader-1"} 1#AC '),
    "by camera": ("0~2C 1#2D ", '{"fact":"untag","seat":1,"card":"2D","source":"reader-1"} 1~AC '),
}


@in_both
def test_an_illegal_card_is_red_at_once_and_the_display_says_why_what_is_expected_and_what_can_be_done(game):
    told = Told(begun(game, known=True) + "0:2C ")
    ruling = first(told, "1:2D")
    assert (ruling["ruling"], ruling["rules"], ruling["led"], ruling["held"]) == ("breach", ["follow-suit"], "2C", "AC")
    assert meanings(told) == ["idle", "breach", "turn", "idle", "idle"]
    assert said(told) == "Ada plays 2♦ but holds A♣: clubs must be followed. Take it back, or play on: then it stands."


@in_both
@pytest.mark.parametrize("way", TAKEN_BACK)
def test_an_illegal_card_that_is_taken_back_is_annulled_and_the_record_keeps_both(game, way):
    laid, back = TAKEN_BACK[way]
    told = Told(begun(game, known=True) + laid)
    n = told.table.n
    told.tell(back)
    assert [(r["of"], r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(n, 1, "2D")]
    entry = told.table.entry(n)
    assert entry is not None
    assert [(r["ruling"], r["rules"]) for r in entry.lines if "ruling" in r] == [("breach", ["follow-suit"])]
    if way == "entered":
        assert (plays(told), told.answers[-1][-1]["seat"]) == ([(0, "2C")], 1)
        assert meanings(told) == ["idle", "turn", "idle", "idle", "idle"]
        told.tell("1:AC")
    assert plays(told) == [(0, "2C"), (1, "AC")]
    assert meanings(told)[1] == "idle"
    told.tell(agreed(game))
    assert offences(told) == []


@in_both
def test_a_card_taken_back_is_known_to_be_in_that_hand(game):
    told = Told(begun(game) + "0:2C 1:5D 1-5D ")
    assert told.table.state.felt.known == (0, card("5D").bit, 0, 0)
    ruling = first(told, "1:6C 2:5D")
    assert ruling["ruling"] == "legal"
    assert [(r["seat"], r["rules"][0]) for r in told.rulings("breach")] == [(2, "not-in-hand")]


@in_both
def test_a_suit_denied_with_a_card_that_is_known_to_be_in_that_hand_is_a_breach_at_once(game):
    told = Told(begun(game) + "0:2C 1:5C 1-5C ")
    assert (first(told, "1:6D")["ruling"], told.answers[-1][0]["held"]) == ("breach", "5C")


@in_both
def test_another_card_of_that_seat_while_the_illegal_one_lies_is_two_cards(game):
    told = Told(begun(game, known=True) + "0:2C 1:2D ")
    ruling = first(told, "1:AC")
    assert (ruling["ruling"], ruling["rules"], ruling["first"]) == ("breach", ["too-many-cards"], "2D")
    assert plays(told) == [(0, "2C"), (1, "2D")]
    assert told.rulings("withdrawn") == []


# --- the next player plays over it -----------------------------------------------------------------------------------


@in_both
def test_an_illegal_card_that_is_played_over_stands_and_the_ruling_stays_in_the_record(game):
    told = Told(begun(game, known=True) + "0:2C 1:2D 2:2S 3:2H ")
    (trick,) = told.table.state.deal.felt.tricks
    assert [(laid.seat, str(laid.card)) for laid in trick.cards] == [(0, "2C"), (1, "2D"), (2, "2S"), (3, "2H")]
    assert meanings(told)[1] == "idle"
    told.tell(agreed(game))
    assert offences(told) == [(1, "2D", "follow-suit", "breach")]


@in_both
def test_a_lead_out_of_turn_that_is_played_over_is_accepted_and_the_ruling_stays_in_the_record(game):
    told = Told(begun(game) + "0:2C 1:3C 2:4C 3:5C 1:6D 2:7D 3:8D 0:9D ")
    assert tricks(told) == [(0, 3), (1, 0)]
    assert told.grades[-4:] == ["breach", "legal", "legal", "legal"]
    told.tell(agreed(game))
    assert offences(told) == [(1, "6D", "turn", "breach")]


def test_a_wrong_opening_card_that_is_played_over_stands():
    told = Told(begun("hearts") + "1:3C 2:4C 3:5C 0:2C ")
    assert (tricks(told), [r["rules"] for r in told.rulings("breach")]) == ([(1, 3)], [["opening"]])
    told.tell(HALF_EACH)
    assert offences(told) == [(1, "3C", "opening", "breach")]


# --- a revoke noticed in time ----------------------------------------------------------------------------------------

REVOKE = "0:2C 1:3D 2:4C 3:5C "  # seat 1 may have clubs


@pytest.mark.parametrize(
    ("game", "over"),
    [(game, over) for game in ("hearts", "spades") for over in ("", "2:4C ", "2:4C 3:5C ")]
    + [("hearts", "2:4C 3:5C 3:6D "), ("hearts", "2:4C 3:5C 3:6D 0:7D ")],
)
def test_a_card_is_taken_back_in_its_trick_and_in_the_last_one_until_its_seat_plays_to_the_next(game, over):
    told = Told(begun(game) + "0:2C 1:3D " + over)
    n = next(laid.n for _, laid in told.table.state.felt.places() if laid.seat == 1)
    told.tell("1-3D 1:8C ")
    assert [(r["of"], r["trick"]) for r in told.rulings("withdrawn")] == [(n, 1)]
    laid = [(number, c.seat, str(c.card)) for number, c in told.table.state.felt.places()]
    assert (1, 1, "8C") in laid
    assert told.rulings("proved", "breach") == []


@in_both
@pytest.mark.parametrize("seat", [0, 2, 3])
def test_others_than_the_offender_may_change_their_cards_too_while_it_is_in_time(game, seat):
    laid = dict(zip(range(4), ["2C", "3D", "4C", "5C"], strict=True))[seat]
    told = Told(begun(game) + REVOKE + f"{seat}-{laid} ")
    assert [(r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(seat, laid)]


@in_both
def test_after_the_offender_has_played_to_the_next_trick_the_revoke_is_established(game):
    told = Told(begun(game) + REVOKE + "3:6D 0:7D 1:8D 1-3D ")
    assert [(a["ruling"], a["reason"]) for a in told.answers[-1]] == [("ignored", "established")]
    told.tell("2:9D 2:TD 3:JD 0:QD 1:KD 1:8C ")
    assert [(r["offence"]["card"], r["shown"]) for r in told.rulings("proved")] == [("3D", "8C")]


def test_a_revoke_put_right_in_the_last_trick_costs_a_table_of_hearts_nothing_and_an_established_one_26():
    told = Told(begun("hearts", illegal="26") + REVOKE + "1-3D 1:8C " + HALF_EACH)
    assert list(told.events("hand")[-1]["points"].values()) == [13, 13, 0, 0]
    assert offences(told) == []
    told = Told(begun("hearts", illegal="26") + REVOKE + "3:6C 0:7C 1:8C " + HALF_EACH)
    assert offences(told) == [(1, "3D", "follow-suit", "shown")]
    assert list(told.events("hand")[-1]["points"].values()) == [0, 26, 0, 0]


def test_a_revoke_put_right_in_the_last_trick_costs_a_side_nothing_and_an_established_one_its_points():
    told = Told(begun("spades") + REVOKE + "1-3D 1:8C " + agreed("spades"))
    assert (offences(told), of_sides(told)) == ([], {"0-2": (60, 0), "1-3": (61, 1)})
    told = Told(begun("spades") + REVOKE + "3:6C 0:7C 1:8C " + agreed("spades"))
    assert offences(told) == [(1, "3D", "follow-suit", "shown")]
    assert of_sides(told) == {"0-2": (60, 0), "1-3": (0, 0)}


def test_in_hearts_nobody_has_a_partner_and_the_seat_opposite_may_have_played():
    told = Told(begun("hearts") + REVOKE + "3:6D 1-3D ")
    assert [(r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(1, "3D")]


@pytest.mark.parametrize(
    ("laid", "back"),
    [("0:2C 1:3D 2:4C 3:AC 3:6D ", "1-3D "), ("0:2C 1:4C 2:3D 3:5C 3:6D 0:7D ", "2-3D ")],
    ids=["the partner leads", "the partner follows"],
)
def test_in_spades_a_revoke_is_established_when_the_partner_has_played_to_the_next_trick(laid, back):
    told = Told(begun("spades") + laid)
    assert [(a["ruling"], a.get("reason")) for a in told.tell(back)] == [("ignored", "established")]


def test_in_spades_the_revoke_can_still_be_put_right_when_only_the_other_side_has_played_to_the_next_trick():
    told = Told(begun("spades") + "0:2C 1:3D 2:AC 3:5C 2:6D 1-3D ")
    assert [(r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(1, "3D")]


# --- a lead by the wrong seat ----------------------------------------------------------------------------------------


@in_both
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_lead_by_a_seat_that_did_not_win_the_trick_is_a_breach_and_the_winner_is_still_awaited(game, seat):
    told = Told(begun(game) + "0:2C 1:3C 2:4C 3:5C ")
    ruling, turn = told.tell(f"{seat}:6D")
    assert (ruling["ruling"], ruling["rules"], ruling["awaited"]) == ("breach", ["turn"], 3)
    assert turn["seat"] == 3
    assert [meaning for meaning in meanings(told) if meaning != "idle"] == (
        ["breach", "turn"] if seat < 3 else ["turn", "breach"]
    )
    assert (meanings(told)[seat], meanings(told)[3]) == ("breach", "turn")


def test_in_spades_the_first_lead_is_that_of_the_seat_left_of_the_dealer():
    told = Told(begun("spades"))
    ruling, turn = told.tell("2:6D")
    assert (ruling["ruling"], ruling["rules"], ruling["awaited"], turn["seat"]) == ("breach", ["turn"], 0, 0)
    assert (meanings(told)[2], meanings(told)[0]) == ("breach", "turn")


# --- two cards from one seat -----------------------------------------------------------------------------------------


@in_both
@pytest.mark.parametrize("mark", [":", "#"])
def test_the_second_card_of_a_seat_is_a_breach_and_the_table_asks_which_one_it_is(game, mark):
    told = Told(begun(game) + f"0{mark}2C 1{mark}3C ")
    ruling, question = told.tell(f"1{mark}9C")[:2]
    assert (ruling["ruling"], ruling["rules"], ruling["first"]) == ("breach", ["too-many-cards"], "3C")
    assert (question["ask"], question["why"], question["seat"], question["candidates"]) == (
        "card",
        "which",
        1,
        ["3C", "9C"],
    )
    assert meanings(told)[1] == "breach"
    assert said(told) == "Ada lays a second card, 9♣, beside 3♣."


@in_both
@pytest.mark.parametrize(("kept", "other"), [("3C", "9C"), ("9C", "3C")])
def test_the_answer_says_which_card_is_the_play_and_the_other_is_in_the_hand(game, kept, other):
    told = Told(begun(game) + "0:2C 1:3C 1:9C ")
    told.tell(line(fact="answer", question=told.questions()[0]["question"], card=kept))
    assert plays(told) == [(0, "2C"), (1, kept)]
    assert told.table.state.felt.known[1] == card(other).bit
    told.tell("2:4C 3:5C " + agreed(game))
    assert offences(told) == []


# --- a card taken back or changed though it was legal ----------------------------------------------------------------


@in_both
@pytest.mark.parametrize("over", ["", "2:4C ", "2:4C 3:5C "])
def test_a_legal_card_that_is_taken_back_is_recorded_and_no_ruling_goes_against_the_seat(game, over):
    told = Told(begun(game) + "0:2C 1:3C " + over + "1-3C ")
    assert [(r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(1, "3C")]
    assert told.table.state.felt.known[1] == card("3C").bit
    told.tell("1:6C ")
    assert told.rulings("breach", "proved", "pending", "someone") == []
    told.tell(agreed(game))
    assert (offences(told), unresolved(told)) == ([], [])


@in_both
def test_a_discard_that_is_changed_for_another_denies_the_suit_once(game):
    told = Told(begun(game) + "0:2C 1:3D 1-3D 1:4D 2:5C 3:6C 3:7C 0:8C 1:9C ")
    assert [(r["offence"]["card"], r["shown"]) for r in told.rulings("proved")] == [("4D", "9C")]


# --- a card exposed off turn -----------------------------------------------------------------------------------------


@in_both
def test_a_card_exposed_off_turn_is_out_of_turn_and_recorded(game):
    told = Told(begun(game) + "0:2C ")
    ruling, turn = told.tell("3:4C")
    assert (ruling["ruling"], ruling["rules"], ruling["awaited"], turn["seat"]) == ("breach", ["turn"], 1, 1)
    assert (meanings(told)[3], meanings(told)[1]) == ("breach", "turn")
    told.tell("1:5C 2:6C ")
    assert (tricks(told), told.grades[-2:]) == ([(0, 2)], ["legal", "legal"])
    told.tell(agreed(game))
    assert offences(told) == [(3, "4C", "turn", "breach")]


@in_both
def test_a_card_exposed_off_turn_and_taken_back_is_known_in_that_hand_and_no_offence(game):
    told = Told(begun(game) + "0:2C 3:4C 3-4C 1:5C 2:6C 3:7C ")
    assert told.table.state.felt.known[3] == card("4C").bit
    assert tricks(told) == [(0, 3)]
    told.tell(agreed(game))
    assert offences(told) == []
    assert [r["rules"] for r in told.rulings("breach")] == [["turn"]]  # what was ruled then is in the record


# --- misdeals, wrong counts, missing and extra cards -----------------------------------------------------------------

SHORT = " ".join(f"0:{rank}C 1:{rank}D 2:{rank}S 3:{rank}H" for rank in RANKS[:-1])
AMISS = {
    "before a card": "",
    "a card not in that hand": "0:2C 1:3S ",
    "a card that is there twice": "0:2C 1:3C 2:4C 3:5C 3:3C ",
    "a seat that has a card too many": "0:2C 1:3C 1:4C ",
    "the last card of a hand is missing": SHORT + " 0:AC 1:AD 2:AS ",
    "a revoke proved": REVOKE + "3:6C 0:7C 1:8C ",
}


@in_both
@pytest.mark.parametrize("amiss", AMISS)
def test_a_hand_can_be_annulled_whatever_is_amiss_scores_nothing_and_is_dealt_again_by_the_same_dealer(game, amiss):
    told = Told(begun(game) + AMISS[amiss])
    deal, totals = told.table.state.deal, dict(told.table.state.totals)
    assert deal is not None
    assert told.tell(MISDEAL)[-1] == {"event": "misdeal", "hand": deal.number}
    assert (dict(told.table.state.totals), told.table.state.deal) == (totals, None)
    told.tell('{"fact":"hand"} ')
    again = told.table.state.deal
    assert (again.number, again.dealer, again.direction) == (deal.number + 1, deal.dealer, deal.direction)
    assert told.table.state.questions == ()


@pytest.mark.parametrize("scored", range(4))
def test_a_misdealt_hand_is_passed_anew_in_the_same_direction(scored):
    told = Told(match() + (HAND + HALF_EACH) * scored + HAND + MISDEAL + HAND + MISDEAL + HAND)
    direction = ["left", "right", "across", "hold"][scored]
    assert [(e["hand"], e["direction"]) for e in told.events("pass")[scored:]] == [
        (scored + 1, direction),
        (scored + 2, direction),
        (scored + 3, direction),
    ]


def test_a_hand_in_which_a_wrong_number_was_passed_can_be_put_right_or_annulled():
    wrong = match() + HAND + line(fact="pass", seat=1, count=2)
    assert [r["rules"] for r in Told(wrong).rulings("breach")] == [["pass-count"]]
    assert Told(wrong + MISDEAL).answers[-1] == ({"event": "misdeal", "hand": 1},)
    put_right = Told(wrong + '{"fact":"correct","n":3,"set":{"count":3}}')
    assert [r["ruling"] for r in put_right.rulings("legal")] == ["legal"]


def test_a_hand_of_spades_in_which_a_wrong_number_was_exchanged_can_be_annulled_and_the_bags_stay():
    exchange = {"exchange": True, "exchange_deficit": 0, "blind_nil_deficit": 0}
    told = Told(match("spades", **exchange) + HAND + "".join(line(fact="bid", seat=s, bid=3) for s in range(4)))
    told.tell(agreed("spades"))
    told.tell(HAND + line(fact="bid", seat=0, bid="blind-nil", exchange=True))
    told.tell(line(fact="exchange", seat=0, count=3))
    assert [r["rules"] for r in told.rulings("breach")] == [["exchange-count"]]
    told.tell(MISDEAL + '{"fact":"hand"} ' + "".join(line(fact="bid", seat=s, bid=3) for s in range(4)))
    assert told.table.state.deal.dealer == 3
    told.tell(agreed("spades"))
    assert of_sides(told) == {"0-2": (60, 0), "1-3": (61, 2)}


def test_the_proof_of_a_misdealt_hand_is_told_and_costs_nothing():
    told = Told(begun("spades") + REVOKE + "3:6C 0:7C 1:8C " + MISDEAL)
    assert offences(told) == [(1, "3D", "follow-suit", "shown")]
    told.tell(HAND + "".join(line(fact="bid", seat=s, bid=3) for s in range(4)) + agreed("spades"))
    assert (offences(told), of_sides(told)) == ([], {"0-2": (60, 0), "1-3": (61, 1)})


# --- a claim or a concession -----------------------------------------------------------------------------------------


@in_both
def test_a_hand_that_ends_by_agreement_is_scored_and_claims_that_stand_are_unresolved(game):
    told = Told(begun(game) + REVOKE)
    n = told.table.state.felt.claims[0].n
    told.tell(agreed(game))
    (audit,) = told.rulings("confirmed")[-1:]
    assert audit["unresolved"] == [{"seat": 1, "n": n, "trick": 1, "card": "3D", "rule": "follow-suit"}]
    assert audit["offences"] == []
    if game == "hearts":
        assert list(told.events("hand")[-1]["points"].values()) == [13, 13, 0, 0]
    else:
        assert of_sides(told) == {"0-2": (60, 0), "1-3": (61, 1)}
    assert told.table.state.felt is None


@in_both
def test_the_offences_that_were_proved_before_the_hand_ended_by_agreement_stand(game):
    told = Told(begun(game) + REVOKE + "3:6C 0:7C 1:8C " + agreed(game))
    assert (offences(told), unresolved(told)) == ([(1, "3D", "follow-suit", "shown")], [])


# --- corrections by a person -----------------------------------------------------------------------------------------


@in_both
def test_a_card_that_is_corrected_is_derived_anew_and_the_log_keeps_what_was_entered(game):
    told = Told(begun(game) + "0:2C 1:3C 2:4C 3:5C 3:6D ")
    n = told.table.n - 3
    told.tell(line(fact="correct", n=n, set={"card": "KC"}, reason="misread"))
    entry, latest = told.table.entry(n), told.table.log[-1]
    assert entry is not None
    assert entry.fact == from_dict({"fact": "play", "seat": 1, "card": "3C"}), "the log is not rewritten"
    assert latest.fact == from_dict({"fact": "correct", "n": n, "set": {"card": "KC"}, "reason": "misread"})
    assert tricks(told) == [(0, 1)]
    anew = [r for r in told.answers[-1] if "by" in r]
    assert {r.get("ruling", r.get("event")) for r in anew} == {"legal", "trick", "breach"}
    assert [(r["seat"], r["rules"], r["awaited"]) for r in anew if r.get("ruling") == "breach"] == [(3, ["turn"], 1)]


@in_both
def test_a_proof_falls_when_one_of_its_cards_is_corrected(game):
    told = Told(begun(game) + REVOKE + "3:6C 0:7C 1:8C ")
    assert len(told.rulings("proved")) == 1
    n = told.table.n
    answer = told.tell(line(fact="correct", n=n, set={"card": "8D"}, reason="misread"))
    assert [(r["was"]["ruling"], r["n"]) for r in answer if r.get("ruling") == "void"] == [("proved", n)]
    told.tell(agreed(game))
    assert offences(told) == []


def test_a_score_that_is_corrected_changes_every_later_total_and_takes_the_end_of_the_match_back():
    told = Told(match("hearts-classic", target=26) + (HAND + HALF_EACH) * 2)
    assert told.table.state.result is not None
    right = {"points": {"0": 12, "2": 14}}
    answer = told.tell(line(fact="correct", n=3, set=right, reason="counted again"))
    assert [dict(score.totals) for score in told.table.state.scores] == [
        {"0": 12, "1": 0, "2": 14, "3": 0},
        {"0": 25, "1": 13, "2": 14, "3": 0},
    ]
    assert [(e["hand"], e["by"]) for e in answer if e.get("event") == "hand"] == [(1, 6), (2, 6)]
    assert [r["was"]["event"] for r in answer if r.get("event") == "void"] == ["match"]
    assert told.table.state.result is None
    assert told.tell(HAND)[0] == {"event": "pass", "hand": 3, "direction": "across"}


def test_tricks_that_are_corrected_change_scores_bags_and_the_winner_of_a_match_of_spades():
    bids = "".join(line(fact="bid", seat=seat, bid=3) for seat in range(4))
    told = Told(match("spades", target=120) + (HAND + bids + agreed("spades")) * 2)
    assert told.table.state.totals == {"0-2": 120, "1-3": 122}
    told.tell(line(fact="correct", n=7, set={"tricks": {"0": 4, "1": 3, "2": 3, "3": 3}}, reason="counted again"))
    assert [dict(score.totals) for score in told.table.state.scores] == [
        {"0-2": 61, "1-3": 60},
        {"0-2": 121, "1-3": 121},
    ]
    assert (told.table.state.result, told.table.state.scores[-1].bags) == (None, {"0-2": 1, "1-3": 1})


# --- a wrong accusation by a player ----------------------------------------------------------------------------------


@in_both
def test_a_wrong_accusation_comes_to_nothing_and_the_log_shows_the_play(game):
    """There is no fact for it: somebody who suspects a discard looks it up, and at most confirms that it was read
    right."""
    with pytest.raises(ValueError, match="accuse"):
        from_dict({"fact": "accuse", "seat": 1})
    told = Told(begun(game) + REVOKE)
    n, before = told.table.n - 2, told.table.state.deal.felt.claims
    entry = told.table.entry(n)
    assert entry is not None
    assert [(r["seat"], r["card"], r["ruling"]) for r in entry.lines if "ruling" in r] == [(1, "3D", "unproven")]
    told.tell(line(fact="confirm", n=n))
    assert told.table.state.deal.felt.claims == before
    told.tell(agreed(game))
    assert offences(told) == []
    assert told.rulings("breach", "proved", "pending", "someone") == []


# --- the grades of a ruling ------------------------------------------------------------------------------------------


@in_both
def test_what_is_legal_whatever_the_hands_are_lights_no_lamp(game):
    told = Told(begun(game) + "0:2C 1:3C ")
    assert told.grades[-2:] == ["legal", "legal"]
    assert meanings(told) == ["idle", "idle", "turn", "idle", "idle"]


@in_both
def test_what_is_legal_only_if_a_claim_is_true_is_a_mark_on_the_display_and_no_lamp(game):
    told = Told(begun(game) + "0:2C 1:3D ")
    assert told.grades[-2:] == ["legal", "unproven"]
    assert meanings(told) == ["idle", "idle", "turn", "idle", "idle"]
    assert [seat.mark for seat in seen(told.table, desk()).seats] == ["", "unproven", "", ""]
    assert said(told) == "Ada plays 3♦: legal only without clubs in hand."


@pytest.mark.parametrize(
    ("game", "laid", "rule"),
    [
        ("hearts", "0:3C ", "opening"),
        ("hearts", "0:2C 2:3C ", "turn"),
        ("spades", "0:2C 2:3C ", "turn"),
        ("hearts", "0:2C 1:3C 2:3C ", "duplicate"),
        ("spades", "0:2C 1:3C 2:3C ", "duplicate"),
        ("hearts", "0:2C 1:3C 1:4C ", "too-many-cards"),
        ("spades", "0:2C 1:3C 1:4C ", "too-many-cards"),
        ("hearts, known", "0:2C 1:2D ", "follow-suit"),
        ("spades, known", "0:2C 1:2D ", "follow-suit"),
        ("hearts, known", "0:2C 1:KC ", "not-in-hand"),
        ("spades, known", "0:2C 1:KC ", "not-in-hand"),
    ],
)
def test_what_is_illegal_whatever_the_hands_are_is_red_at_once(game, laid, rule):
    game, _, known = game.partition(", ")
    told = Told(begun(game, known=bool(known)) + laid)
    ruling = told.rulings("breach")[-1]
    assert (ruling["rules"], told.grades[-1]) == ([rule], "breach")
    assert meanings(told)[ruling["seat"]] == "breach"


@in_both
def test_a_denied_card_that_is_shown_proves_the_earlier_play_and_the_seat_is_red(game):
    told = Told(begun(game) + REVOKE)
    n = told.table.n - 2
    told.tell("3:6C 0:7C 1:8C ")
    (proof,) = told.rulings("proved")
    assert (proof["seat"], proof["how"], proof["shown"]) == (1, "shown", "8C")
    assert proof["offence"] == {"n": n, "trick": 1, "card": "3D", "rule": "follow-suit"}
    assert meanings(told) == ["idle", "proof", "turn", "idle", "idle"]


# Seat 3 leads the suit that must be broken, and denies all others with eleven cards left: after two more of the suit
# only ten can be with it.
COUNTED = {"hearts": "0:2C 1:3C 2:4C 3:5C 3:5H 0:6H ", "spades": "0:2C 1:3C 2:4C 3:5C 3:5S 0:6S "}
LAST_STRAW = {"hearts": "1:7H ", "spades": "1:7S "}


@in_both
def test_a_claim_that_is_counted_out_is_proved_at_the_card_that_leaves_no_honest_deal(game):
    told = Told(begun(game) + COUNTED[game])
    n = told.table.n - 1
    assert told.rulings("proved") == []
    told.tell(LAST_STRAW[game])
    (proof,) = told.rulings("proved")
    rule = "hearts-not-broken" if game == "hearts" else "spades-not-broken"
    assert (proof["n"], proof["seat"], proof["how"]) == (told.table.n, 3, "counted")
    assert proof["offence"] == {"n": n, "trick": 2, "card": f"5{game[0].upper()}", "rule": rule}
    assert "shown" not in proof
    assert meanings(told)[3] == "proof"


def test_a_card_that_denies_what_its_seat_must_hold_is_a_breach():
    """Seats 0, 2 and 3 have shown all their cards: the other thirteen are seat 1's, clubs among them."""
    for game in ("hearts", "spades"):
        shown = "".join(line(fact="holds", seat=seat, cards=HANDS[str(seat)]) for seat in (0, 2, 3))
        told = Told(begun(game) + shown + "0:2C ")
        ruling = first(told, "1:2D")
        assert (ruling["ruling"], ruling["rules"], ruling["held"][1]) == ("breach", ["follow-suit"], "C")
        assert meanings(told)[1] == "breach"


@in_both
def test_three_hands_that_are_known_as_dealt_tell_the_fourth(game):
    three = begun(game, known=True).replace(f'"1": "{HANDS["1"]}", ', "")
    assert three != begun(game, known=True)
    assert first(Told(three + "0:2C "), "1:2D")["held"] == "AC"


# Three seats have no club, so all twelve others were seat 0's: but it leads a diamond.
SOMEONE = "0:2C 1:3D 2:4D 3:5D 0:6D "


@in_both
def test_when_the_claims_of_several_leave_no_honest_deal_someone_has_lied_and_only_the_centre_shines(game):
    told = Told(begun(game) + SOMEONE)
    assert told.rulings("someone") == [
        {"ruling": "someone", "n": told.table.n, "hand": told.table.state.deal.number, "seats": [1, 2, 3]}
    ]
    assert told.rulings("proved", "breach", "pending") == []
    assert meanings(told) == ["idle", "turn", "idle", "idle", "someone"]


@in_both
def test_who_it_was_is_proved_when_the_card_is_shown_and_someone_alone_costs_nothing(game):
    told = Told(begun(game, **({"illegal": "26"} if game == "hearts" else {})) + SOMEONE + agreed(game))
    (audit,) = told.rulings("confirmed")[-1:]
    assert [(o["seats"], o["how"]) for o in audit["offences"]] == [([1, 2, 3], "someone")]
    if game == "hearts":
        assert list(told.events("hand")[-1]["points"].values()) == [13, 13, 0, 0]
    else:
        assert of_sides(told) == {"0-2": (60, 0), "1-3": (61, 1)}
    told = Told(begun(game) + SOMEONE + "1:7D 2:8D 3:9D 3:3C ")
    assert [(r["seat"], r["how"], r["offence"]["card"]) for r in told.rulings("proved")] == [(3, "shown", "5D")]


# Seat 1 has the seven of diamonds in trick 7 and does not follow with it.
PLAYED_OUT = (
    "0:2C 1:AC 2:KC 3:QC 1:2D 2:QS 3:2H 0:AD 0:KD 1:3D 2:3H 3:4H 0:QD 1:4D 2:5H 3:6H 0:JD 1:5D 2:7H 3:8H "
    "0:TD 1:6D 2:9H 3:TH 0:9D 1:AS 2:JH 3:QH 0:8D 1:7D 2:KH 3:AH 0:3C 1:JC 2:JS 3:6S 1:KS 2:TS 3:5S 0:4C "
    "1:TC 2:9S 3:4S 0:5C 1:9C 2:8S 3:3S 0:6C 1:8C 2:7S 3:2S 0:7C "
)
# The same with trumps about: seat 1 has the ace of clubs when clubs are led, and lays it at the very end.
TRUMPED_OUT = "0:2C 1:2D 2:2S 3:2H " + " ".join(
    f"2:{rank}S 3:{rank}H 0:{'AD' if rank == 'A' else rank + 'C'} 1:{'AC' if rank == 'A' else rank + 'D'}"
    for rank in RANKS[1:]
)


@pytest.mark.parametrize(
    ("game", "laid", "offence"),
    [
        ("hearts", PLAYED_OUT, (1, "AS", "follow-suit", "shown")),
        ("spades", TRUMPED_OUT, (1, "2D", "follow-suit", "counted")),  # all other cards have been seen before
    ],
)
def test_the_audit_of_a_hand_that_was_played_out_is_the_final_verdict(game, laid, offence):
    told = Told(begun(game) + laid)
    assert offences(told) == [offence]
    assert unresolved(told) == []
    deal = told.table.state.deal
    assert deal.felt.seen == deal.felt.deck
    assert {len(trick.cards) for trick in deal.felt.tricks} == {4}
    assert told.table.state.felt is None


@in_both
def test_there_is_no_final_verdict_while_a_card_is_missing(game):
    laid = (PLAYED_OUT if game == "hearts" else TRUMPED_OUT).split()
    told = Told(begun(game) + " ".join(laid[:-1]))
    before = len(told.rulings("confirmed"))
    told.tell(laid[-1])
    assert len(told.rulings("confirmed")) == before + 1


def test_who_is_proved_later_leaves_nobody_else_in_the_final_verdict():
    """Seats 1, 2 and 3 have no clubs, and seat 0 leads a diamond to the last trick: someone has lied. Then seat 1 lays
    the ace of clubs: it was seat 1, and all 52 cards have been seen."""
    plain = " ".join(f"0:{r}C 1:{r}D 2:{r}S 3:{r}H" for r in RANKS[1:-1])
    told = Told(begun("hearts") + "0:2C 1:2D 2:2S 3:2H " + plain + " 0:AD 1:AC 2:AS 3:AH ")
    (audit,) = told.rulings("confirmed")[-1:]
    assert [o for o in audit["offences"] if o["how"] == "someone"] == []
    assert {o["seat"] for o in audit["offences"]} == {1}


@in_both
def test_who_is_proved_later_leaves_nobody_else_in_the_verdict_of_a_hand_that_ends_by_agreement(game):
    told = Told(begun(game) + SOMEONE + "1:7D 2:8D 3:9D 3:3C ")
    told.tell(HALF_EACH if game == "hearts" else line(fact="end-hand", tricks={"0": 3, "1": 4, "2": 3, "3": 3}))
    assert offences(told) == [(3, "5D", "follow-suit", "shown")]


# --- pending, and how it ends ----------------------------------------------------------------------------------------

# Seat 1's spade may have been the three of clubs, or its seven a spade.
DOUBT = "0~2C 1~3S 2~4C 3~5C 3~8C 0~6C 1~7C "


def test_a_proof_that_one_misread_card_would_explain_is_pending_and_blue_and_costs_nothing_unsettled():
    told = Told(begun("hearts", illegal="26") + DOUBT)
    assert (told.rulings("proved"), told.rulings("breach")) == ([], [])
    (pending,) = told.rulings("pending")
    assert (pending["seat"], pending["offence"]["card"]) == (1, "3S")
    assert meanings(told)[1] == "question"
    told.tell(HALF_EACH)
    assert (offences(told), unresolved(told)) == ([], [(1, "3S", "follow-suit")])
    assert list(told.events("hand")[-1]["points"].values()) == [13, 13, 0, 0]


def ends_of_doubt(told: Told, script: str) -> list[tuple[str, str]]:
    """Which lines end what is pending: the ruling, and the rule."""
    ends = [r for r in told.tell(script) if r.get("ruling") in ("proved", "breach", "cleared")]
    return [(r["ruling"], r["offence"]["rule"] if "offence" in r else r["rules"][0]) for r in ends]


def test_what_is_pending_ends_proved_when_both_cards_are_confirmed():
    told = Told(begun("hearts") + DOUBT)
    n = told.table.n
    assert ends_of_doubt(told, line(fact="confirm", n=n - 5) + line(fact="confirm", n=n)) == [("proved", "follow-suit")]
    told.tell(HALF_EACH)
    assert offences(told) == [(1, "3S", "follow-suit", "shown")]


def test_what_is_pending_ends_cleared_when_the_card_was_another():
    told = Told(begun("hearts") + DOUBT)
    question = told.questions()[0]
    assert ends_of_doubt(told, line(fact="answer", question=question["question"], card="3C")) == [
        ("cleared", "follow-suit")
    ]
    told.tell(HALF_EACH)
    assert (offences(told), unresolved(told)) == ([], [])


@in_both
@pytest.mark.parametrize(
    ("answer", "end"), [({"card": "3C"}, ("cleared", "turn")), ({}, ("breach", "turn"))], ids=["missing", "not missing"]
)
def test_a_card_out_of_turn_for_a_camera_is_pending_and_ends_as_the_answers_say(game, answer, end):
    told = Told(begun(game) + "0#2C 2~4C ")
    assert (told.rulings("breach"), [r["offence"]["rule"] for r in told.rulings("pending")]) == ([], ["turn"])
    ends = []
    while told.table.state.questions:
        question = told.table.state.questions[0]
        asked = answer if question.ask == "missing" else {}
        ends += ends_of_doubt(told, line(fact="answer", question=question.id, **asked))
    assert ends == [end]


# --- counting after a pass that nobody counted -----------------------------------------------------------------------


def passing(*counts: int) -> str:
    """A hand with a pass, of which these numbers were seen."""
    seen_ones = "".join(line(fact="pass", seat=seat, count=number) for seat, number in enumerate(counts))
    return match() + HAND + seen_ones + '{"fact":"passed"} '


@pytest.mark.parametrize("counts", [(), (3, 3, 3), (3, 2, 3, 3), (3, 4, 3, 3)], ids=str)
def test_what_is_counted_out_is_pending_until_the_pass_was_counted(counts):
    told = Told(passing(*counts) + COUNTED["hearts"] + LAST_STRAW["hearts"])
    assert told.rulings("proved", "someone") == []
    assert [(r["seat"], r["offence"]["card"]) for r in told.rulings("pending")] == [(3, "5H")]
    assert "proof" not in meanings(told)


def test_what_is_counted_out_is_proved_at_once_where_three_from_each_seat_were_counted():
    told = Told(passing(3, 3, 3, 3) + COUNTED["hearts"] + LAST_STRAW["hearts"])
    assert [(r["seat"], r["how"]) for r in told.rulings("proved")] == [(3, "counted")]
    assert told.rulings("pending") == []


@pytest.mark.parametrize("counted", [0, 1])
def test_what_is_counted_out_is_proved_when_the_numbers_of_the_pass_are_put_in_or_put_right_later(counted):
    late = (3, 2, 3, 3) if counted else ()
    told = Told(passing(*late) + COUNTED["hearts"] + LAST_STRAW["hearts"])
    assert told.rulings("proved") == []
    if counted:
        told.tell('{"fact":"correct","n":4,"set":{"count":3}}')
    for seat in range(0 if counted else 4):
        told.tell(line(fact="correct", before=3, insert={"fact": "pass", "seat": seat, "count": 3}))
    assert [(r["seat"], r["how"]) for r in told.rulings("proved")] == [(3, "counted")]


def test_after_a_pass_that_nobody_counted_the_card_that_is_shown_proves_it():
    told = Told(passing() + COUNTED["hearts"] + LAST_STRAW["hearts"] + "2:8H 2:6D 3:7D ")
    assert [(r["seat"], r["how"], r["shown"]) for r in told.rulings("proved")] == [(3, "shown", "7D")]
    assert told.rulings("cleared") == []


def test_what_was_counted_out_after_an_uncounted_pass_is_unresolved_when_the_hand_ends_before():
    told = Told(passing() + COUNTED["hearts"] + LAST_STRAW["hearts"] + HALF_EACH)
    assert (offences(told), unresolved(told)) == ([], [(3, "5H", "hearts-not-broken")])


def test_after_a_pass_that_nobody_counted_not_even_someone_is_accused_before_the_audit():
    told = Told(passing() + SOMEONE)
    assert told.rulings("someone", "proved", "breach") == []
    assert meanings(told)[4] != "someone"
    told.tell(HALF_EACH)
    (audit,) = told.rulings("confirmed")
    assert audit["offences"] == []
    assert [u["seats"] for u in audit["unresolved"] if "seats" in u] == [[1, 2, 3]]


def test_when_all_hands_are_scanned_after_a_pass_that_nobody_counted_a_revoke_is_a_breach_at_once():
    told = Told(passing() + "".join(line(fact="holds", seat=int(s), cards=h) for s, h in HANDS.items()) + "0:2C ")
    ruling = first(told, "1:2D")
    assert (ruling["ruling"], ruling["rules"], ruling["held"]) == ("breach", ["follow-suit"], "AC")


# --- settled: an illegally played heart, shared places, the jack of diamonds ----------------------------------------

BAD_HEART = "0:2C 1:5H 2:4C 3:5C "  # seat 1 has clubs yet
HEART_LED = "3:6H 0:7H 1:8H 2:9H "


def test_r048_an_illegally_played_heart_opens_hearts_for_all_and_its_proof_changes_no_ruling_since():
    told = Told(begun("hearts") + BAD_HEART + HEART_LED)
    assert told.grades[4:5] == ["legal"]
    ruled = list(told.lines)
    told.tell("2:JC 3:QC 0:KC 1:9C ")
    assert [(r["seat"], r["offence"]["card"]) for r in told.rulings("proved")] == [(1, "5H")]
    assert told.lines[: len(ruled)] == ruled
    assert told.events("rederived") == []
    assert told.table.state.felt.broken


@pytest.mark.parametrize("corrected", [False, True])
def test_r048_a_heart_that_is_corrected_or_taken_back_closes_hearts_and_what_follows_is_derived_anew(corrected):
    told = Told(begun("hearts") + BAD_HEART + "3:6H ")
    n = told.table.n
    assert told.grades[-1] == "legal"
    answer = told.tell(
        line(fact="correct", n=n - 3, set={"card": "6C"}, reason="misread") if corrected else "1-5H 1:6C"
    )
    if corrected:  # the 6C has won, so the lead is out of turn besides
        assert [(r["ruling"], r["rules"]) for r in answer if r.get("n") == n and "rules" in r] == [
            ("breach", ["turn", "hearts-not-broken"])
        ]
        assert [r["was"]["event"] for r in answer if r.get("event") == "void"] == ["hearts-broken"]
    else:  # it was led in good faith, on hearts that lay there
        assert [r for r in answer if r.get("n") == n and "rules" in r] == []
        assert told.rulings("legal")[-2]["n"] == n


@pytest.mark.parametrize("rules", ["hearts-classic", "hearts-black-maria"])
def test_r072_r073_a_tie_for_the_lowest_total_shares_the_place(rules):
    told = Told(match(rules, target=26) + (HAND + HALF_EACH) * 2)
    assert [(e["places"], e["winners"]) for e in told.events("match")] == [([["2", "3"], ["0", "1"]], ["2", "3"])]


def test_in_omnibus_the_jack_of_diamonds_on_the_first_trick_claims_only_that_no_club_is_held():
    told = Told(held("hearts-omnibus") + "0:2C 1:JD 2:QS ")
    assert [(r["card"], r["rules"]) for r in told.rulings("unproven")] == [
        ("JD", ["follow-suit"]),
        ("QS", ["first-trick-points", "follow-suit"]),
    ]


@pytest.mark.parametrize(("hearts_only", "note"), [(True, "source-silent"), (False, None)])
def test_r054_in_black_maria_a_known_hand_of_hearts_may_lead_one_and_the_ruling_says_that_the_source_is_silent(
    hearts_only, note
):
    hold = match("hearts-black-maria") + (HAND + HALF_EACH) * 3
    hearts = " ".join(f"{rank}H" for rank in RANKS[:-1])
    hands = {"3": hearts + " AC"} if hearts_only else {"3": hearts.replace("KH", "KD") + " AC"}
    told = Told(hold + line(fact="hand", dealer=3, hands=hands) + "0:2C 1:3C 2:4C 3:AC ")
    ruling = first(told, "3:5H")
    assert (ruling["ruling"], ruling.get("note")) == ("legal" if hearts_only else "breach", note)
