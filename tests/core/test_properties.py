"""What holds for any facts at all, and for every honest game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablepi.cards import each
from tablepi.facts import Fact, Match, from_dict
from tablepi.state import Auction, Lines
from tablepi.table import Table, complaint, empty, step, undo

from .. import strategies
from ..script import RULEBOOK, Told
from .contract_lines import check_lines
from .honest import NAMES, RULES, HonestHand, Offence, Rules, look_alike, play_hand, play_out
from .honest import deal as dealt

MANY = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
QUICK = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32)


def told(facts: Iterable[Fact]) -> list[Table]:
    """The table after each fact."""
    tables = [empty(RULEBOOK)]
    for fact in facts:
        tables.append(step(tables[-1], fact))
    return tables


# --- any facts -----------------------------------------------------------------------------------------------------

# What a table may agree on, by rule set: everything that can be played is played.
AGREED: dict[str, list[dict[str, Any]]] = {
    "hearts-tournament": [{}, {"timeouts": {"play": 20, "pass": 30}}, {"timeouts": {"play": 20}, "illegal": "26"}],
    "hearts-black-maria": [{}, {"leaving": True}, {"illegal": "whole-hand"}],
    "spades": [{}, {"exchange": True, "blind_nil_deficit": 0, "exchange_deficit": 0}, {"suicide": True}],
}


def match_of(rules: Rules, **options: Any) -> Match:
    return Match(rules=rules.name, players=tuple(NAMES[: rules.players]), options=options)


any_rules = st.sampled_from(list(RULES.values()))


def nearly_sensible_game(seed: int, length: int, rules: Rules) -> list[Table]:
    """The table after each fact of a game that goes forward most of the time: cards by all sources, and revisions of
    facts and questions that are there. It is built along the table, so that it may name them."""
    random = Random(seed)
    begin = match_of(rules, **random.choice(AGREED.get(rules.name, [{}])))
    tables = told([begin])
    assert tables[-1].state.match is not None, tables[-1].lines
    at = 0.0
    for _ in range(length):
        at += random.choice((0, 0, 0.2, 1))
        tables.append(step(tables[-1], next_fact(random, tables[-1], rules, round(at, 1))))
    return tables


def nearly_sensible() -> st.SearchStrategy[list[Table]]:
    return st.builds(nearly_sensible_game, seeds, st.integers(1, 50), any_rules)


def next_fact(random: Random, table: Table, rules: Rules, at: float) -> Fact:
    line = _next_line(random, table, rules)
    if random.random() < 0.5:
        line["at"] = at
    return from_dict(line)


def _next_line(random: Random, table: Table, rules: Rules) -> dict[str, Any]:
    deal, n = table.state.deal, table.n
    whose = random.randrange(rules.players)
    if deal is None or deal.phase == "over":
        hands = {}
        if random.random() < 0.3:
            hands = {"hands": {str(seat): " ".join(h) for seat, h in enumerate(dealt(random, rules).hands)}}
        return random.choice([{"fact": "hand", **hands}] * 30 + [{"fact": "tick"}, {"fact": "end-match"}])
    if deal.phase == "choosing" and random.random() < 0.6:
        shooter = table.state.choice.seat if table.state.choice is not None and random.random() < 0.8 else whose
        return {"fact": "choose", "seat": shooter, "choice": random.choice(["self", "others"])}
    if deal.phase == "passing" and random.random() < 0.9:
        cards = " ".join(map(str, each(deal.dealt[whose]))) or " ".join(random.sample(rules.deck, 13))
        some = " ".join(random.sample(cards.split(), min(len(cards.split()), random.choice((3, 3, 3, 2)))))
        passing = random.choice([{"count": 3}, {"count": 3}, {"count": 4}, {"cards": some}])
        return random.choice([{"fact": "pass", "seat": whose, **passing}] * 5 + [{"fact": "passed"}])
    if deal.phase == "bidding" and random.random() < 0.9:
        return _next_bid(random, deal.auction, whose)
    felt = deal.felt
    seat = felt.turn if felt.turn is not None and random.random() < 0.85 else whose
    unseen = list(map(str, each(felt.legal(seat) or felt.unseen_for(seat)))) or ["2C"]
    opening = not felt.history and rules.opening is not None and random.random() < 0.9
    card = rules.opening if opening and rules.opening is not None else random.choice(unseen)
    laid = [str(other.card) for _, other in felt.places() if other.card is not None] or [card]
    lying = [(other.seat, str(other.card)) for other in felt.trick if other.card is not None] or [(seat, card)]
    kind = random.choices(
        ("play", "tag", "seen", "withdraw", "gone", "untag", "answer", "confirm", "drop", "set", "insert", "odd"),
        (30, 15, 30, 4, 5, 3, 6, 3, 3, 3, 2, 4),
    )[0]
    if random.random() < 0.05:
        card = random.choice(laid)
    match kind:
        case "play":
            return {"fact": "play", "seat": seat, "card": card}
        case "tag":
            where = {} if random.random() < 0.1 else {"seat": seat}
            return {"fact": "tag", "card": card, "source": f"reader-{seat}", **where}
        case "seen":
            card = look_alike(card) if random.random() < 0.1 else card
            sure = {"confidence": random.choice((0.3, 0.9, 0.98)), "steady": random.choice((0.1, 0.4, 0.5))}
            where = {} if random.random() < 0.1 else {"seat": seat}
            return {"fact": "seen", "card": card, "source": "camera", **sure, **where}
        case "withdraw":
            whose, which = random.choice(lying)
            return {"fact": "withdraw", "seat": whose} | ({"card": which} if random.random() < 0.7 else {})
        case "gone" | "untag":
            whose, which = random.choice(lying)
            return {"fact": kind, "seat": whose, "card": which, "source": "camera" if kind == "gone" else "reader-1"}
        case "answer" if table.state.questions:
            question = random.choice(table.state.questions)
            reply: dict[str, Any] = {"fact": "answer", "question": question.id}
            if question.candidates and random.random() < 0.8:
                chosen = random.choice(question.candidates)
                reply |= {"seat": chosen} if isinstance(chosen, int) else {"card": str(chosen)}
            return reply
        case "confirm":
            return {"fact": "confirm", "n": random.randint(max(1, n - 8), n)}
        case "drop":
            return {"fact": "correct", "n": random.randint(max(1, n - 8), n), "drop": True}
        case "set":
            change = random.choice(({"card": card}, {"seat": random.randrange(rules.players)}))
            return {"fact": "correct", "n": random.randint(max(1, n - 8), n), "set": change}
        case "insert":
            inserted = {"fact": "play", "seat": seat, "card": card}
            return {"fact": "correct", "before": random.randint(max(1, n - 8), n), "insert": inserted}
        case _:
            return random.choice(
                [
                    {"fact": "misdeal"},
                    {"fact": "end-hand", "points": {"0": 26}},
                    {"fact": "cleared"},
                    {"fact": "tick"},
                    {"fact": "holds", "seat": seat, "cards": card},
                    {"fact": "lost", "device": "reader-2"},
                    {"fact": "timeout", "seat": seat},
                    {"fact": "timeout", "seat": seat},
                    {"fact": "leave", "seat": random.randrange(rules.players)},
                    {"fact": "choose", "seat": seat, "choice": "others"},
                    {"fact": "bid", "seat": seat, "bid": 4},
                    {"fact": "tag", "uid": "04A1", "seat": seat},
                    {"fact": "hand"},
                ]
            )


def _next_bid(random: Random, auction: Auction | None, seat: int) -> dict[str, Any]:
    if auction is None:
        return {"fact": "tick"}
    if auction.turn is None:  # an exchange is awaited
        giver = auction.giving if auction.giving is not None and random.random() < 0.8 else seat
        cards = random.choice([{"count": 2}, {"count": 2}, {"cards": "2C 3D"}, {"count": 1}, {"declined": True}])
        return random.choice([{"fact": "exchange", "seat": giver, **cards}] * 4 + [{"fact": "exchanged"}])
    bid = random.choice([1, 2, 3, 4, 5, 13, "nil", "blind-nil"])
    asks = {"exchange": True} if bid == "blind-nil" and random.random() < 0.5 else {}
    return {"fact": "bid", "seat": auction.turn if random.random() < 0.9 else seat, "bid": bid, **asks}


any_facts = st.one_of(
    strategies.any_game(),
    st.lists(strategies.any_fact, max_size=12).map(tuple),
    st.builds(lambda rules, rest: (match_of(rules), *rest), any_rules, st.lists(strategies.later_facts, max_size=25)),
)


@MANY
@given(any_facts)
def test_any_facts_in_any_order_fold_without_raising_are_answered_in_the_contracts_form_and_replay_as_live(facts):
    tables = told(facts)
    check_lines((table.n, table.lines) for table in tables)
    assert replayed(tables[-1]) == tables[-1]


@MANY
@given(nearly_sensible())
def test_a_nearly_sensible_game_is_answered_in_form_and_order_adds_up_and_replays_as_live(tables):
    check_lines((table.n, table.lines) for table in tables)
    for table in tables:
        assert_adds_up(table.lines, rules_of(table))
    assert replayed(tables[-1]) == tables[-1]


def replayed(live: Table) -> Table:
    again = empty(RULEBOOK)
    for entry in live.log:
        again = step(again, entry.fact, n=entry.n)
    return again


def rules_of(table: Table) -> Rules | None:
    match = table.state.match
    return RULES[match.rules, len(match.players)] if match is not None else None


def assert_adds_up(lines: Lines, rules: Rules | None) -> None:
    """Each trick is the winner's that the rules say, and the points of a hand are those of its cards."""
    for line in lines:
        if rules is not None and line.get("event") == "trick":
            laid = [(int(seat), card) for seat, card in line["cards"].items()]
            assert (laid[0][0], rules.winner(laid)) == (line["lead"], line["winner"])
            assert line["points"] == sum(rules.values(card) for _, card in laid)
        if rules is not None and line.get("event") == "hand" and line.get("moon", True) is None:
            assert sum(line["points"].values()) == sum(map(rules.values, rules.deck))


@settings(QUICK, max_examples=15)
@given(nearly_sensible())
def test_dropping_the_latest_fact_gives_the_state_before_it(tables):
    before, after = tables[-2], tables[-1]
    if after.log[-1].revisions or isinstance(after.log[-1].fact, Match):
        return
    dropped = step(after, from_dict({"fact": "correct", "n": after.n, "drop": True}))
    assert dropped.state == before.state


@settings(QUICK, max_examples=10)
@given(nearly_sensible())
def test_what_a_revision_derives_is_what_the_facts_that_count_give_from_the_start(tables):
    """Deriving again from a mark in the middle is the same as deriving everything again."""
    from tablepi.match import advance
    from tablepi.state import State
    from tablepi.table import effective

    live = tables[-1]
    state = State(RULEBOOK)
    for item in effective(live.log):
        state, _ = advance(state, item)
    assert state == live.state


@settings(QUICK, max_examples=10)
@given(nearly_sensible())
def test_undo_again_and_again_comes_back_to_the_match_without_a_hand(tables):
    table = tables[-1]
    begun = tables[1]
    for _ in range(4 * len(tables)):
        taken_back = undo(table)
        if taken_back is None:
            break
        assert complaint(table, taken_back) is None
        table = step(table, taken_back)
    assert undo(table) is None
    state = replace(table.state, lost=(), strangers=())
    assert state == begun.state


# --- honest games --------------------------------------------------------------------------------------------------

Reading = Callable[[int, str], dict[str, Any]]


def by_reader(seat: int, card: str) -> dict[str, Any]:
    return {"fact": "tag", "seat": seat, "card": card, "source": f"reader-{seat}"}


def by_camera(seat: int, card: str) -> dict[str, Any]:
    return {"fact": "seen", "seat": seat, "card": card, "source": "camera", "confidence": 0.97, "steady": 0.4}


def by_person(seat: int, card: str) -> dict[str, Any]:
    return {"fact": "play", "seat": seat, "card": card}


BEFORE_THE_OPENING = [
    {"fact": "match", "rules": "hearts-cardems", "players": NAMES[:4]},
    {"fact": "hand", "dealer": 0},
    {"fact": "passed"},
]


def watched(game: HonestHand, reading: Reading, *, misread: int | None = None, unseen: int | None = None) -> Told:
    """A table that watched the hand; the laying *misread* read as its look-alike, *unseen* not seen at all."""
    told = Told(map(from_dict, BEFORE_THE_OPENING))
    for number, laying in enumerate(game.laid):
        if number != unseen:
            told.tell([from_dict(reading(laying.seat, look_alike(laying.card) if number == misread else laying.card))])
    return told


def true_tricks(game: HonestHand) -> list[tuple[int, dict[int, str]]]:
    tricks = []
    for number, winner in enumerate(game.winners, 1):
        tricks.append((winner, {laying.seat: laying.card for laying in game.laid if laying.trick == number}))
    return tricks


def tricks_of(told: Told) -> list[tuple[int | None, dict[int, str]]]:
    deal = told.table.state.deal
    assert deal is not None
    return [(trick.winner, {laid.seat: str(laid.card) for laid in trick.cards}) for trick in deal.felt.tricks]


def scored(told: Told) -> list[dict[str, int]]:
    return [dict(score.points) for score in told.table.state.scores]


@MANY
@given(seeds, any_rules, st.sampled_from([by_reader, by_person, by_camera]))
def test_an_honest_game_that_is_seen_whole_accuses_nobody_and_scores_what_was_taken(seed, rules, reading):
    game = play_hand(Random(seed), rules)
    told = seen_whole(game, reading)
    assert told.rulings("breach", "proved", "pending", "someone", "ignored") == []
    assert told.questions() == []
    assert tricks_of(told) == true_tricks(game)
    assert_adds_up(told.lines, rules)
    assert rules.trumps or scored(told) == [game.points]
    check_lines(enumerate(told.answers, 1))


@MANY
@given(seeds, any_rules, st.sampled_from([by_reader, by_person]))
def test_a_hand_in_which_everybody_lays_what_he_likes_is_scored_whole(seed, rules, reading):
    random = Random(seed)
    game = play_out(random, dealt(random, rules), lawless=0.7)
    told = seen_whole(game, reading)
    assert tricks_of(told) == true_tricks(game)
    assert_adds_up(told.lines, rules)
    assert rules.trumps or scored(told) == [game.points]
    check_lines(enumerate(told.answers, 1))


@QUICK
@given(seeds, any_rules)
def test_in_every_rule_set_a_card_misread_as_its_look_alike_accuses_nobody(seed, rules):
    random = Random(seed)
    game = play_hand(random, rules)
    misread = random.randrange(len(game.laid))
    told = Told(map(from_dict, game.before_play()))
    for number, laying in enumerate(game.laid):
        told.tell([from_dict(by_camera(laying.seat, look_alike(laying.card) if number == misread else laying.card))])
    assert told.rulings("breach", "proved", "someone") == []


def seen_whole(game: HonestHand, reading: Reading) -> Told:
    """A table that saw the whole hand. The shooter of a moon who may choose gives the points to the others."""
    told = Told(map(from_dict, game.before_play()))
    told.tell(from_dict(reading(laying.seat, laying.card)) for laying in game.laid)
    if told.events("choice"):
        told.tell([from_dict({"fact": "choose", "seat": game.shooter, "choice": "others"})])
    return told


def answer_truthfully(told: Told, game: HonestHand, truth: dict[int, tuple[int, str]], unseen: int | None) -> None:
    """Answer whatever is asked, as a person who saw everything would, until nothing is asked."""
    for _ in range(60):
        if not told.table.state.questions:
            return
        question = told.table.state.questions[0]
        answer: dict[str, Any] = {"fact": "answer", "question": question.id}
        if question.ask == "missing":
            missed = game.laid[unseen] if unseen is not None else None
            if missed is not None and (missed.seat, missed.trick) == (question.seat, trick_asked(told, question.id)):
                answer["card"] = missed.card
        else:
            seat, card = truth[question.of]
            answer |= {"seat": seat} if question.ask == "seat" else {"card": card}
        told.tell([from_dict(answer)])
    pytest.fail(f"still asked: {told.table.state.questions}")


def trick_asked(told: Told, question: str) -> int:
    return next(line["trick"] for line in reversed(told.lines) if line.get("question") == question)


@settings(QUICK, max_examples=40)
@given(seeds, st.integers(0, 51))
def test_one_misread_card_accuses_nobody_and_the_truth_puts_everything_right(seed, misread):
    game = play_hand(Random(seed))
    told = watched(game, by_camera, misread=misread)
    assert told.rulings("breach", "proved", "someone") == []
    truth = {n: (laying.seat, laying.card) for n, laying in enumerate(game.laid, len(BEFORE_THE_OPENING) + 1)}
    card = game.laid[misread]
    # Read as a card that the same seat laid before, it is no news: then it is the card that nobody saw.
    repeats = any((c.seat, c.card) == (card.seat, look_alike(card.card)) for c in game.laid[:misread])
    answer_truthfully(told, game, truth, misread if repeats else None)
    if repeats and not scored(told):
        told.tell([from_dict(by_person(card.seat, card.card))])
    if not scored(told):  # the seat's next card was taken for another look at this one: a person says what this one was
        n = len(BEFORE_THE_OPENING) + 1 + misread
        told.tell([from_dict({"fact": "correct", "n": n, "set": {"card": card.card}})])
    if not (repeats and taken_for_the_missing_card(game, misread)):
        assert_put_right(told, game)


@settings(QUICK, max_examples=40)
@given(seeds, st.integers(0, 50))
def test_one_card_that_nobody_saw_accuses_nobody_and_the_truth_puts_everything_right(seed, unseen):
    game = play_hand(Random(seed))
    told = watched(game, by_camera, unseen=unseen)
    assert told.rulings("breach", "proved", "someone") == []
    seen = [laying for number, laying in enumerate(game.laid) if number != unseen]
    truth = {n: (laying.seat, laying.card) for n, laying in enumerate(seen, len(BEFORE_THE_OPENING) + 1)}
    answer_truthfully(told, game, truth, unseen)
    assert told.rulings("breach", "proved", "someone") == []
    if not scored(told):  # nothing was amiss but that the hand did not end: a person says what was missed
        missed = by_person(game.laid[unseen].seat, game.laid[unseen].card)
        n = len(BEFORE_THE_OPENING) + 1 + unseen
        told.tell([from_dict({"fact": "correct", "before": n, "insert": missed})])
    if not taken_for_the_missing_card(game, unseen):
        assert_put_right(told, game)


def taken_for_the_missing_card(game: HonestHand, unseen: int) -> bool:
    """Whether the seat whose card nobody saw won the trick with it and led a card that follows its suit: that card is
    taken for the missing one, seen late, and nothing that comes later tells the two apart."""
    missed = game.laid[unseen]
    following = next((laying for laying in game.laid[unseen + 1 :] if laying.seat == missed.seat), None)
    won = game.winners[missed.trick - 1] == missed.seat
    return (
        won and following is not None and following.led is None and following.card[1] == (missed.led or missed.card[1])
    )


def assert_put_right(told: Told, game: HonestHand) -> None:
    deal = told.table.state.deal
    assert deal is not None
    assert tricks_of(told) == true_tricks(game)
    assert scored(told) == [game.points]
    assert (deal.pending, deal.settled) == ((), ())
    assert told.rulings("breach", "proved", "someone") == []
    check_lines(enumerate(told.answers, 1))


@settings(QUICK, max_examples=40)
@given(seeds, st.integers(1, 44), st.sampled_from([by_reader, by_person]))
def test_where_nobody_counted_the_pass_a_revoke_is_proved_when_its_suit_is_shown_and_not_before(
    seed, revoke_at, reading
):
    game = play_hand(Random(seed), offence=Offence("follow-suit", revoke_at))
    revoke = next(
        (
            number
            for number, laying in enumerate(game.laid)
            if laying.led and laying.card[1] != laying.led and any(c[1] == laying.led for c in laying.hand)
        ),
        None,
    )
    told = watched(game, reading)
    assert told.rulings("breach", "someone") == []
    proofs = [(r["n"], r["seat"], r["how"], r["offence"]["n"], r["offence"]["trick"]) for r in told.rulings("proved")]
    if revoke is None:
        assert proofs == []
        return
    offender = game.laid[revoke]
    first = len(BEFORE_THE_OPENING) + 1
    points = offender.card[1] == "H" or offender.card == "QS"

    def denied(card: str) -> bool:
        return card[1] == offender.led or (offender.trick == 1 and points and card[1] != "H" and card != "QS")

    shown = next(
        number
        for number, laying in enumerate(game.laid)
        if number > revoke and laying.seat == offender.seat and denied(laying.card)
    )
    assert proofs == [(first + shown, offender.seat, "shown", first + revoke, offender.trick)]
