"""What readings mean: repeats, sources that agree or conflict, shared readers, cards that are not steady yet."""

from __future__ import annotations

import json

import pytest

from tablepi.cards import card

from ..script import Told, held


def seen(seat: int, laid: str, **more: object) -> str:
    line = {"fact": "seen", "seat": seat, "card": laid, "source": "camera", "confidence": 0.98, "steady": 0.4}
    return json.dumps(line | more) + " "


def shared(laid: str) -> str:
    return json.dumps({"fact": "tag", "card": laid, "source": "reader-9"}) + " "


def on_felt(told: Told) -> list[tuple[int, str, bool]]:
    return [(laid.seat, str(laid.card), laid.sure) for laid in told.table.state.felt.trick]


def test_camera_and_tag_that_agree_are_one_certain_play_in_either_order():
    assert on_felt(Told(held() + "0~2C 0#2C")) == on_felt(Told(held() + "0#2C 0~2C")) == [(0, "2C", True)]


@pytest.mark.parametrize(("first", "second"), [("1~3C", "1#3S"), ("1#3S", "1~3C")])
def test_a_tag_and_a_camera_that_name_different_cards_conflict_and_the_table_asks(first, second):
    told = Told(held() + f"0:2C {first} {second}")
    assert told.rulings("breach") == []
    (question,) = told.questions()
    assert (question["ask"], question["why"], sorted(question["candidates"])) == ("card", "conflict", ["3C", "3S"])


@pytest.mark.parametrize("right", ["3C", "3S", "8C"])
def test_the_answer_to_a_conflict_is_the_card_that_lies_there(right):
    told = Told(held() + "0:2C 1~3C 1#3S " + json.dumps({"fact": "answer", "question": "q6", "card": right}))
    assert on_felt(told) == [(0, "2C", True), (1, right, True)]
    assert told.table.state.questions == ()


def test_a_shared_reader_reads_for_the_seat_whose_turn_it_is():
    told = Told(held() + "0:2C " + shared("3C"))
    assert on_felt(told) == [(0, "2C", True), (1, "3C", True)]


def test_a_shared_reader_that_cannot_know_the_seat_asks_for_it():
    told = Told(held() + shared("2C"))
    (question,) = told.questions()
    assert (question["ask"], question["why"], question["candidates"]) == ("seat", "whose", [0, 1, 2, 3])
    told.tell('{"fact":"answer","question":"q4","seat":2}')
    assert on_felt(told) == [(2, "2C", True)]
    assert told.table.state.questions == ()


def test_a_shared_reader_knows_the_seat_of_an_opening_card_in_a_known_hand():
    told = Told(held() + '{"fact":"holds","seat":3,"cards":"2C 4D"} ' + shared("2C"))
    assert on_felt(told) == [(3, "2C", True)]


def test_cards_swept_over_the_winners_reader_are_no_plays():
    told = Told(held() + "0#2C 1#3C 2#4C 3#5C 3#2C 3#3C 3#4C 3#5C")
    assert told.grades == ["legal"] * 4
    assert told.table.state.felt.trick == ()


def test_a_sighting_that_is_not_steady_counts_when_its_time_has_come():
    told = Told(held() + "0:2C " + seen(1, "3C", steady=0.1, at=5.0))
    assert (on_felt(told), told.table.deadline) == ([(0, "2C", True)], pytest.approx(5.2))
    answer = told.tell('{"fact":"tick","at":5.2}')
    assert [(line["ruling"], line["n"]) for line in answer if "ruling" in line] == [("legal", 5)]
    assert told.table.deadline is None


def test_a_sighting_that_goes_before_it_is_steady_was_no_play():
    told = Told(held() + "0:2C " + seen(1, "3C", steady=0.1, at=5.0))
    told.tell('{"fact":"gone","seat":1,"card":"3C","source":"camera","at":5.1} {"fact":"tick","at":6}')
    assert on_felt(told) == [(0, "2C", True)]


def test_two_sightings_that_are_steady_by_the_same_tick_count_in_the_order_of_their_times():
    told = Told(held() + "0:2C " + seen(2, "4C", steady=0.0, at=5.0) + seen(1, "3C", steady=0.2, at=5.05))
    told.tell('{"fact":"tick","at":6}')
    assert on_felt(told)[1:] == [(1, "3C", False), (2, "4C", False)]
    assert told.rulings("breach", "pending") == []


def test_a_card_that_waited_can_be_taken_back_like_any_other():
    told = Told(held() + "0:2C " + seen(1, "5H", steady=0.1, at=5.0) + '{"fact":"tick","at":6}')
    told.tell('{"fact":"gone","seat":1,"card":"5H","source":"camera","at":7}')
    assert [r["of"] for r in told.rulings("withdrawn")] == [5]
    assert on_felt(told) == [(0, "2C", True)]
    assert told.table.state.felt.known[1] == card("5H").bit


def test_a_card_is_taken_back_at_the_very_time_at_which_it_becomes_steady():
    told = Told(held() + "0:2C " + seen(1, "5H", steady=0.1, at=5.0) + '{"fact":"withdraw","seat":1,"at":7}')
    assert [r["of"] for r in told.rulings("withdrawn")] == [5]
    assert on_felt(told) == [(0, "2C", True)]


def test_a_covered_card_that_had_to_wait_takes_the_place_kept_for_it():
    told = Told(held() + "0~2C 1~3C 3~5C " + seen(2, "4C", steady=0.1, at=5.0) + '{"fact":"tick","at":6}')
    assert [t.winner for t in told.table.state.felt.tricks] == [3]
    assert told.table.state.questions == ()
    assert told.rulings("breach") == []


def test_a_card_that_goes_after_others_have_played_still_counts():
    told = Told(held() + '0~2C 1~3C 2~4C {"fact":"gone","seat":1,"card":"3C","source":"camera"} 3~5C')
    assert told.rulings("withdrawn") == []
    assert [t.winner for t in told.table.state.felt.tricks] == [3]


def test_an_unread_card_that_goes_again_is_taken_back_by_whatever_name_it_had_and_nothing_is_known_of_the_hand():
    told = Told(held() + "0~2C " + seen(1, "3C", confidence=0.3) + seen(1, "5H", confidence=0.4))
    told.tell('{"fact":"gone","seat":1,"card":"5H","source":"camera"}')
    assert [(r["of"], r["card"]) for r in told.rulings("withdrawn")] == [(5, None)]
    assert on_felt(told) == [(0, "2C", False)]
    assert (told.table.state.felt.known[1], told.table.state.questions) == (0, ())
    told.tell("1~8C 2~4C 3~5C")
    assert [t.winner for t in told.table.state.felt.tricks] == [1]


def test_a_card_that_the_camera_sees_where_its_winner_pulls_it_in_is_no_play():
    swept = " ".join(
        json.dumps({"fact": "gone", "card": name, "source": "camera"}) for name in ("2C", "3C", "4C", "5C")
    )
    told = Told(held() + f"0~2C 1~3C 2~4C 3~5C {swept} 3~9D 0~TD 1~JD 2~QD 2~9D 2~JD")
    assert (on_felt(told), told.table.state.questions) == ([], ())
    told.tell("2~9S 3~TS")
    assert on_felt(told) == [(2, "9S", False), (3, "TS", False)]


TAKEN_BACK = ('{"fact":"withdraw","seat":1}', '{"fact":"gone","seat":1,"card":"5H","source":"camera"}')


@pytest.mark.parametrize("back", [*TAKEN_BACK, '{"fact":"correct","n":5,"drop":true}'])
@pytest.mark.parametrize("looks", ["1#5H 1#5H", "1#5H 1~5H", "1~5H 1#5H", "1~5H 1~5H", "1~5H 1~5D", "1~5H 1~5D 1~5H"])
def test_a_card_that_was_told_of_again_and_again_goes_back_whole(looks, back):
    told = Told(held() + f"0~2C {looks} {back}")
    assert (on_felt(told), told.table.state.questions) == ([(0, "2C", False)], ())
    told.tell("1~6C 2~4C 3~5C")
    assert told.rulings("breach", "pending") == []
    assert told.table.state.felt.tricks[-1].card_of(1).card == card("6C")


def test_a_card_that_goes_back_and_is_told_of_once_more_is_laid_once_more():
    told = Told(held() + f"0~2C 1#5H 1~5H {TAKEN_BACK[0]} 1#5H 1~5H")
    assert on_felt(told) == [(0, "2C", False), (1, "5H", True)]


def test_a_person_who_names_a_card_is_not_asked_about_what_was_read_there_before():
    told = Told(held() + '0~2C 1~5H 1~5D 1~5H {"fact":"correct","n":5,"set":{"card":"5D"}}')
    assert (on_felt(told), told.table.state.questions) == ([(0, "2C", False), (1, "5D", True)], ())


def test_an_unread_card_of_a_finished_trick_that_is_seen_clearly_while_it_lies_there_is_no_lead():
    told = Told(held() + "0~2C " + seen(1, "9C", confidence=0.3) + "2~4C 3~5C 1~9C")
    assert [t.winner for t in told.table.state.felt.tricks] == [1]
    assert (on_felt(told), told.table.state.questions) == ([], ())


def test_an_unread_card_of_a_finished_trick_that_is_seen_to_be_quite_another_one_is_asked_for():
    told = Told(held() + "0~2C " + seen(1, "9C", confidence=0.3) + "2~4C 3~5C 1~QD")
    assert (on_felt(told), [q["question"] for q in told.questions()]) == ([], ["q5"])
    told.tell('{"fact":"answer","question":"q5","card":"QD"}')
    assert [t.winner for t in told.table.state.felt.tricks] == [3]


def test_a_guess_at_a_card_that_was_swept_is_a_card_that_must_be_asked_for():
    told = Told(held() + "0~2C 1~9C 2~4C 3~5C " + seen(1, "9C", confidence=0.3))
    assert told.table.state.felt.trick == ()  # it lies there still
    told.tell('{"fact":"cleared","source":"camera"} 1~8D 2~9D ' + seen(3, "4C", confidence=0.3))
    assert [(laid.seat, laid.card) for laid in told.table.state.felt.trick][2:] == [(3, None)]


def test_a_reading_of_low_confidence_names_no_card_and_is_asked_for():
    told = Told(held() + "0~2C " + seen(1, "3C", confidence=0.3))
    (question,) = told.questions()
    assert (question["ask"], question["why"], question["candidates"]) == ("card", "unreadable", ["3C", "3S"])
    assert told.rulings("breach", "pending", "unproven") == []
    told.tell('2~4C 3~5C {"fact":"answer","question":"q5","card":"8C"}')
    assert [t.winner for t in told.table.state.felt.tricks] == [1]


def test_a_tag_that_no_deck_knows_is_ignored_and_remembered():
    told = Told(held() + '{"fact":"tag","uid":"04A1B2","seat":0,"source":"reader-0"}')
    assert [line["reason"] for line in told.answers[-1]] == ["unknown-tag"]
    assert told.table.state.strangers == ("04A1B2",)


def test_a_card_seen_again_in_turn_long_after_its_trick_was_swept_is_asked_for_and_accuses_nobody():
    told = Told(held() + "0~2C 1~3C 2~4C 3~5C 3~5D 0~6D 1~7D 2~8D 2~9D 3~TD 0~JD 0~2S")
    told.tell("0~2C")
    assert told.rulings("breach") == []


def which_of_two() -> Told:
    """Seat 1 has laid two cards: people have said that nothing is missing, and whose the second is."""
    told = Told(held() + "3#2C 0#3C 1~4C 1~9D ")
    while doubts := [q for q in told.table.state.questions if q.why == "doubt"]:
        seat = {"seat": 1} if doubts[0].ask == "seat" else {}
        told.tell(json.dumps({"fact": "answer", "question": doubts[0].id} | seat))
    return told


def test_of_two_cards_that_a_camera_saw_of_one_seat_the_table_asks_which():
    told = which_of_two()
    assert [(q.why, q.seat, [str(c) for c in q.candidates]) for q in told.table.state.questions] == [
        ("which", 1, ["4C", "9D"])
    ]


@pytest.mark.parametrize(("gone", "stays"), [("4C", "9D"), ("9D", "4C")])
def test_of_two_cards_of_one_seat_the_one_that_leaves_was_taken_back(gone, stays):
    told = which_of_two()
    told.tell(json.dumps({"fact": "gone", "seat": 1, "card": gone, "source": "camera"}))
    assert [(r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(1, gone)]
    assert told.table.state.questions == ()
    assert [str(laid.card) for laid in told.table.state.felt.trick if laid.seat == 1] == [stays]


def test_a_card_that_may_be_the_neighbours_is_when_its_seat_lays_another_to_that_trick():
    told = Told(held() + "0#2C 1#3C 2#4C 3#5C 2~9D 0~6D 1~7D")
    assert [(q.ask, q.seat, q.of) for q in told.table.state.questions] == [("seat", 2, 8), ("missing", 3, 9)]
    told.tell("2~8D")
    assert told.events("trick")[-1]["cards"] == {"3": "9D", "0": "6D", "1": "7D", "2": "8D"}
    assert told.table.state.questions == ()
    assert told.rulings("breach", "proved") == []


def test_a_card_that_only_a_camera_saw_taken_back_may_be_the_neighbours_and_its_suit_is_asked_about():
    back = '3~9D {"fact":"gone","seat":3,"card":"9D","source":"camera"} '
    told = Told(held() + "0#2C 1#3C 2#4C 3#5C " + back + "3#8S 0#KS 1#4S 2#3S 0#2D 1#4D 2#5D 3#TS")
    assert [(r["n"], r["offence"]["rule"]) for r in told.rulings("pending")] == [(17, "follow-suit")]
    assert [(q.ask, q.of, q.candidates) for q in told.table.state.questions] == [("seat", 8, (3, 0))]
    assert told.rulings("breach", "proved") == []


def swept(*cards: tuple[int, str]) -> str:
    lines = [{"fact": "gone", "seat": seat, "card": c, "source": "camera"} for seat, c in cards]
    return " ".join(map(json.dumps, [*lines, {"fact": "cleared", "source": "camera"}])) + " "


def test_a_lead_that_is_swept_with_the_trick_before_was_a_second_card_and_the_table_asks_which_is_the_play():
    told = Told(held() + "0~2C 1~3C 2~4C 3~5C 3~9D " + swept((0, "2C"), (1, "3C"), (2, "4C"), (3, "5C"), (3, "9D")))
    (question,) = [q for q in told.table.state.questions if q.why == "which"]
    assert (question.seat, [str(c) for c in question.candidates]) == (3, ["5C", "9D"])
    told.tell(json.dumps({"fact": "answer", "question": question.id, "card": "9D"}))
    felt = told.table.state.felt
    assert [(str(laid.card), laid.seat) for laid in felt.tricks[0].cards] == [
        ("2C", 0),
        ("3C", 1),
        ("4C", 2),
        ("9D", 3),
    ]
    assert (felt.tricks[0].winner, felt.trick, felt.known[3]) == (2, (), card("5C").bit)


def test_a_lead_that_lies_when_the_trick_before_is_swept_is_the_lead():
    told = Told(held() + "0~2C 1~3C 2~4C 3~5C " + swept((0, "2C"), (1, "3C"), (2, "4C"), (3, "5C")) + "3~9D 0~8D")
    told.tell(swept((3, "9D"), (0, "8D")))
    assert [q for q in told.table.state.questions if q.why == "which"] == []
