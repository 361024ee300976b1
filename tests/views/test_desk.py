"""What a press and a key mean: every command, and cards typed in English and Portuguese."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablepi import facts as f
from tablepi.cards import ALL_CARDS, card
from tablepi.table import Table, step
from tablepi.views.commands import obey
from tablepi.views.desk import (
    Answered,
    Desk,
    Pause,
    choosable,
    new_match,
    paused,
    points_left,
    press,
    shown_to_a_device,
    type_key,
)
from tablepi.views.screen import COMMANDS, Command

from ..script import NAMES, held
from .tables import (
    BREACH,
    COVERED,
    DOUBT,
    EXCHANGING,
    FIRST_TRICK,
    HAND,
    MOMENTS,
    MOON,
    NIL_FAILED,
    OPENING_HAND,
    PASSING,
    SCORED,
    SETUP,
    SPADES,
    TAKEN_BACK,
    TOURNAMENT,
    TWO_CARDS,
    command,
    desk,
    game,
    seen,
    strike,
    table_of,
    taps_of,
    typed,
)  # fmt: skip

TURN = held() + "0:2C "  # Ada is to play


def person(kind: type[f.Fact], **values: object) -> f.Fact:
    return kind(source="person", **values)


# --- typing a card ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "keys", "written"),
    [
        ("en", "3 c", "3C"),
        ("en", "1 0 d", "TD"),
        ("en", "1 d", "TD"),
        ("en", "t s", "TS"),
        ("en", "q s", "QS"),
        ("en", "J H", "JH"),
        ("en", "k d", "KD"),
        ("en", "a c", "AC"),
        ("pt-PT", "3 p", "3C"),
        ("pt-PT", "1 0 o", "TD"),
        ("pt-PT", "t e", "TS"),
        ("pt-PT", "d e", "QS"),
        ("pt-PT", "v c", "JH"),
        ("pt-PT", "r o", "KD"),
        ("pt-BR", "a p", "AC"),
    ],
)
def test_a_card_is_typed_as_rank_and_suit_for_the_seat_whose_turn_it_is(language, keys, written):
    at, _, entered = typed(table_of(TURN), keys, language)
    assert entered == (person(f.Play, seat=1, card=card(written)),)
    assert at == desk(language)


@pytest.mark.parametrize(
    ("language", "courts"), [("en", "jqka"), ("pt-PT", "vdra"), ("pt-BR", "vdra"), ("pt-PT", "jqka"), ("pt-BR", "jqka")]
)
def test_every_card_can_be_typed_in_every_language_in_portuguese_with_either_letters(language, courts):
    ranks = dict(zip("23456789TJQKA", "2345678910", strict=False)) | {"T": "1 0"}
    ranks |= dict(zip("JQKA", courts, strict=True))
    suits = dict(zip("CDHS", "cdhs" if language == "en" else "poce", strict=True))
    for wanted in ALL_CARDS[1:]:
        _, _, entered = typed(table_of(TURN), f"{ranks[wanted.rank]} {suits[wanted.suit]}", language)
        assert entered == (person(f.Play, seat=1, card=wanted),)


def test_the_first_key_opens_the_picker_and_says_what_has_been_typed():
    at, _, entered = typed(table_of(TURN), "q")
    assert (at, entered) == (replace(desk(), open="card", argument="1", typed="Q"), ())
    assert seen(table_of(TURN), at).picker.typed == "Q"


def test_a_typed_dama_is_shown_with_the_letter_of_the_cards():
    table = table_of(TURN)
    assert [seen(table, typed(table, key, "pt-BR")[0]).picker.typed for key in "dq"] == ["Q", "Q"]
    assert seen(table, typed(table, "d", "pt-PT")[0]).picker.typed == "D"
    assert seen(table, typed(table, "1 0", "pt-PT")[0]).picker.typed == "10"


def test_the_cards_of_a_typed_rank_stand_out():
    table = table_of(TURN)
    picker = seen(table, typed(table, "q")[0]).picker
    assert [str(c) for c, tap in picker.cards if tap.selected] == ["QS", "QH", "QD", "QC"]


def test_another_rank_takes_the_place_of_the_first():
    assert typed(table_of(TURN), "q k s")[2] == (person(f.Play, seat=1, card=card("KS")),)


def test_keys_that_are_no_card_do_nothing():
    table = table_of(TURN)
    for key in ("x", "ä", "z", "0", "f7", "left", "space", "backspace", "7 ", ""):
        assert type_key(desk(), table, key) == (desk(), ()), key
    half = typed(table, "q")[0]
    for key in ("x", "ä", "0", "f7", "p", ""):
        assert type_key(half, table, key) == (half, ()), key


def test_nothing_is_typed_where_no_hand_is_played():
    for moment in ("before a match", "before the first hand", "scored", "match over", "misdeal"):
        assert type_key(desk(), table_of(MOMENTS[moment]), "q") == (desk(), ())
    for page in ("help", "scores", "menu", "sure", "end-hand"):
        at = command(table_of(TURN), page)
        assert type_key(at, table_of(TURN), "q") == (at, ())


def test_a_card_typed_while_cards_are_passed_ends_the_passing():
    _, table, entered = typed(table_of(PASSING), "2 c 3")
    assert entered == (person(f.Play, seat=2, card=card("2C")),)
    assert table.state.deal.phase == "playing"


def test_before_the_opening_card_its_seat_is_asked_for():
    table = table_of(held())
    at, _, entered = typed(table, "2 c")
    assert (at, entered) == (replace(desk(), open="card", typed="2C"), ())
    picker = seen(table, at).picker
    assert picker.title == "Who plays 2♣?"
    assert [tap.label for tap in picker.taps] == [*NAMES, "Back"]
    assert typed(table, "2 c 4")[2] == (person(f.Play, seat=3, card=card("2C")),)


def test_keys_that_come_faster_than_pictures_find_the_seat_too():
    at, table = desk(), table_of(held())
    for key in "2c":
        at, _ = type_key(at, table, key)
    assert type_key(at, table, "5") == (at, ())
    assert type_key(at, table, "0") == (at, ())
    assert type_key(at, table, "4") == (desk(), (person(f.Play, seat=3, card=card("2C")),))


def test_backspace_takes_a_letter_back_and_then_closes():
    table = table_of(held())
    states = [typed(table, keys)[0] for keys in ("2 c", "2 c backspace", "2 c backspace backspace")]
    assert [(at.open, at.typed) for at in states] == [("card", "2C"), ("card", "2"), ("card", "")]
    assert typed(table, "2 c backspace backspace backspace")[0] == desk()


def test_escape_leaves_a_picker():
    assert typed(table_of(TURN), "q escape")[::2] == (desk(), ())


def test_a_card_that_lies_there_already_is_refused_with_the_reason_and_a_way_to_mend_it():
    table = table_of(TURN)
    at, _, entered = typed(table, "2 c")
    assert (at, entered) == (replace(desk(), open="card", argument="1", refused="2C"), ())
    picker = seen(table, at).picker
    assert picker.title == "2♣ lies in trick 1 already, from Rita. Which card?"
    assert [tap.label for tap in picker.taps] == ["That one is wrong", "Back"]
    _, _, mended = typed(table, "2 c x 3 c")
    assert mended == (person(f.Correct, n=4, set={"card": card("3C")}, reason="display"),)
    assert typed(table, "2 c 4 c")[2] == (person(f.Play, seat=1, card=card("4C")),)


def test_a_card_typed_for_an_answer_that_it_cannot_be_is_refused():
    table = table_of(COVERED)
    at, _, entered = typed(table, "f2 3 c")
    assert (at.open, at.refused, entered) == ("answer", "3C", ())
    assert seen(table, at).picker.title == "It cannot be 3♣. Which card?"


def test_who_took_a_card_back_is_the_one_whose_next_card_is_typed():
    assert typed(table_of(TAKEN_BACK), "3 d")[2] == (person(f.Play, seat=1, card=card("3D")),)


def test_a_card_typed_while_a_seat_lies_open_is_that_seats():
    table = table_of(TURN)
    assert type_key(command(table, "seat:3"), table, "q")[0] == replace(desk(), open="card", argument="3", typed="Q")
    assert type_key(command(table, "seat:0"), table, "q")[0] == replace(desk(), open="second", argument="0", typed="Q")


def test_touching_the_player_in_turn_asks_for_the_card_at_once_and_offers_the_rest_behind_it():
    table = table_of(OPENING_HAND)  # Cleo has won, and leads
    shown = seen(table, desk())
    assert [seat.tap.action.name for seat in shown.seats] == ["seat", "seat", "seat", "card"]
    at, _ = press(desk(), table, shown.seats[3].tap.action)
    assert seen(table, at).picker.title == "Cleo: which card?"
    assert [(tap.label, tap.key) for tap in seen(table, at).picker.taps] == [
        ("More about Cleo", "m"), ("Back", "escape"),
    ]  # fmt: skip
    assert press(at, table, Command("chosen", "9D"))[1] == (person(f.Play, seat=3, card=card("9D")),)
    more, _ = strike(at, table, "m")
    assert "It is not 5♣" in [tap.label for tap in seen(table, more).picker.taps]


def test_touching_whoever_opens_asks_for_the_card_at_once_and_nothing_else_is_behind_it():
    table = table_of(held())
    shown = seen(table, desk())
    assert [seat.tap.action for seat in shown.seats] == [Command("card", str(seat)) for seat in range(4)]
    at, _ = press(desk(), table, shown.seats[2].tap.action)
    assert [tap.label for tap in seen(table, at).picker.taps] == ["Back"]
    assert press(at, table, Command("chosen", "2C"))[1] == (person(f.Play, seat=2, card=card("2C")),)


# --- questions -------------------------------------------------------------------------------------------------------


def test_a_question_is_answered_by_key():
    _, table, entered = typed(table_of(DOUBT), "f3")
    assert entered == (person(f.Answer, question="q10", card=card("3C")),)
    assert table.state.questions == ()


def test_the_card_of_a_covered_place_is_chosen_or_typed():
    for keys in ("f2 4 c", "4 c 3"):
        _, table, _ = typed(table_of(COVERED), keys)
        assert table.state.questions == ()
        assert [str(laid.card) for laid in table.state.felt.tricks[0].cards] == ["2C", "3C", "4C", "5C"]


def test_a_touch_on_a_covered_card_asks_which_it_is():
    table = table_of(COVERED)
    first, *_ = seen(table, command(table, "seat:2")).picker.taps
    assert (first.label, first.action) == ("Choose the card", Command("answer", "q6"))


def test_an_unreadable_card_is_named_by_touching_it_although_the_question_is_put_off():
    table = table_of(MOMENTS["unreadable card"])
    at, _ = press(desk(), table, Command("later", table.state.questions[0].id))
    at, _ = press(at, table, Command("seat", "0"))
    assert seen(table, at).picker.taps[0].label == "Choose the card"


def test_a_question_can_be_left_open_and_taken_up_again():
    table = table_of(COVERED)
    at, after, entered = typed(table, "f4")
    assert (at, entered) == (replace(desk(), later=("q6",)), ())
    shown = seen(after, at)
    assert (shown.question, shown.answers) == ("", ())
    assert [tap.label for tap in shown.taps] == [
        "Enter the card", "Take 5♣ back", "Undo", "Question", "Scores", "Help", "Menu",
    ]  # fmt: skip
    back, _ = strike(at, after, "f9")
    assert (back, seen(after, back).question) == (desk(), "Bo's card in trick 1 was not seen: which card is it?")


def test_a_question_that_is_answered_is_no_longer_put_off():
    table = table_of(COVERED + ' {"fact":"answer","question":"q6","card":"4C"}')
    assert press(replace(desk(), later=("q6",)), table, Command("close"))[0] == desk()


# --- the other commands ----------------------------------------------------------------------------------------------


def test_a_match_and_a_hand_begin_with_return():
    _, table, entered = typed(table_of(""), "return return return")
    assert entered == (
        person(f.Match, rules="hearts-cardems", players=tuple(NAMES)),
        person(f.Hand, dealer=0),
        person(f.Passed),
    )
    assert table.state.deal.phase == "playing"


def test_another_dealer_is_chosen():
    assert typed(table_of(MOMENTS["before the first hand"]), "n 3")[2] == (person(f.Hand, dealer=2),)


def test_other_rules_are_chosen_from_those_that_the_number_of_players_can_play_by():
    at, _, _ = typed(table_of(""), "n")
    labels = [tap.label for tap in seen(table_of(""), at).picker.taps]
    assert labels == [
        "Hearts (Black Maria)", "Hearts (CardEMS)", "Hearts (classic)", "Hearts (J♦ takes off 10)",
        "Hearts (each its rank)", "Hearts (tournament)", "Spades", "Back",
    ]  # fmt: skip
    assert typed(table_of(""), "n 7 return")[2] == (person(f.Match, rules="spades", players=tuple(NAMES)),)


def test_the_number_of_players_is_chosen_and_rules_that_do_not_fit_give_way():
    at, _, _ = typed(table_of(""), "p 7 return")
    assert (at.setup.players, at.setup.chosen) == ((*NAMES, "Seat 4", "Seat 5", "Seat 6"), "hearts-black-maria")
    back, _ = press(at, table_of(""), Command("seats", "3"))
    assert (back.setup.players, back.setup.chosen) == (tuple(NAMES[:3]), "hearts-black-maria")
    unnamed = replace(desk(), setup=replace(SETUP, players=("North", "East", "South", "West")))
    five, _ = press(unnamed, table_of(""), Command("seats", "5"))
    assert five.setup.players == tuple(f"Seat {seat}" for seat in range(5))
    assert press(five, table_of(""), Command("seats", "4"))[0].setup.players == ("North", "East", "South", "West")


def test_a_player_is_named_letter_by_letter():
    at, _, _ = typed(table_of(""), "p w a n a space m ó return")
    assert (at.open, at.setup.players) == ("players", ("Rita", "Ana Mó", "Bo", "Cleo"))
    touched = command(table_of(""), "players", "name:2", "letter:j", "letter:o", "letter:backspace", "letter:ã")
    assert touched.typed == "Jã"
    nobody, _, _ = typed(table_of(""), "p w return")
    assert nobody.setup.players == ("Rita", "Seat 1", "Bo", "Cleo")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Cleo sits at this table already: another name, please. Who sits at 1 (E)?"),
        ("pt-PT", "Já há Cleo nesta mesa: outro nome, por favor. Quem se senta no lugar 1 (E)?"),
        ("pt-BR", "Já há Cleo nesta mesa: outro nome, por favor. Quem senta no lugar 1 (L)?"),
    ],
)
def test_a_name_that_another_player_has_is_refused_with_a_word(language, said):
    at, _, _ = typed(table_of(""), "p w c l e o return", language)
    assert (at.open, at.typed, at.setup.players) == ("name", "Cleo", tuple(NAMES))
    assert seen(table_of(""), at).picker.title == said
    longer, _ = strike(at, table_of(""), "s")
    assert (longer.typed, longer.refused) == ("Cleos", "")
    kept, _ = strike(longer, table_of(""), "return")
    assert (kept.open, kept.setup.players) == ("players", ("Rita", "Cleos", "Bo", "Cleo"))


def test_a_player_may_keep_the_name():
    at, _, _ = typed(table_of(""), "p w a d a return")
    assert (at.open, at.setup.players) == ("players", tuple(NAMES))


def test_the_options_of_the_table_hold_for_its_own_rule_set_only():
    own = replace(SETUP, options=(("target", 50),), of="hearts-cardems")
    assert new_match(own).options == {"target": 50}
    assert new_match(replace(own, chosen="spades")).options is None


def test_a_rule_set_of_the_tables_own_can_be_chosen_again():
    house = replace(SETUP, chosen="house", options=(("base", "spades"), ("target", 300)), of="house")
    at = replace(desk(), setup=replace(house, chosen="spades"))
    picker = seen(table_of(""), press(at, table_of(""), Command("rules"))[0]).picker
    assert picker.taps[0].label == "house"
    again, _ = press(at, table_of(""), Command("play-by", "house"))
    assert new_match(again.setup).options == {"base": "spades", "target": 300}


# --- what is agreed before a match -----------------------------------------------------------------------------------


def by(rules: str, language: str = "en", **more: object) -> Desk:
    """The desk at which these rules are chosen."""
    return Desk(replace(SETUP, chosen=rules, **more), language=language)


def touched(at: Desk, *labels: str) -> Desk:
    """The desk after touching what is called so, before a match."""
    table = table_of("")
    for label in labels:
        (tap,) = (tap for tap in taps_of(seen(table, at)) if tap.label == label)
        at, _ = press(at, table, tap.action)
    return at


def keyed(at: Desk, keys: str) -> Desk:
    for key in keys.split():
        at, _ = strike(at, table_of(""), key)
    return at


def lines(at: Desk) -> list[str]:
    """What the page says of each switch."""
    picker = seen(table_of(""), press(at, table_of(""), Command("agreed"))[0]).picker
    return [tap.label for tap in picker.taps if tap.action.name == "agree"]


def title(at: Desk) -> str:
    return seen(table_of(""), at).picker.title


HEARTS_SAYS = ["Target: 100", "Hands at most: no limit", "An illegal card costs: nothing"]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("hearts-cardems", [*HEARTS_SAYS, "Shooting the moon: the others get them"]),
        ("hearts-black-maria", [*HEARTS_SAYS, "Shooting the moon: as the player says"]),
        (
            "hearts-tournament",
            [
                *("Target: 100", "Hands at most: 4", "An illegal card costs: nothing"),
                "Shooting the moon: the others get them",
                *("Seconds for a card: when somebody says so", "Seconds for the pass: when somebody says so"),
            ],
        ),
        ("spades", ["Target: 500", "Nil: 100", "Blind nil: 200", "Exchange of cards: no", "Suicide: no"]),
    ],
)
def test_what_tables_agree_on_is_offered_as_far_as_the_rule_set_has_it(rules, said):
    assert lines(by(rules)) == said


def test_a_target_and_a_number_of_hands_are_agreed_by_keys_and_the_match_is_played_so():
    _, table, entered = typed(table_of(""), "a 1 5 0 return 2 8 return return return")
    options = {"target": 50, "hands": 8}
    assert entered == (person(f.Match, rules="hearts-cardems", players=tuple(NAMES), options=options),)
    assert (table.state.game.target, table.state.game.hands, table.state.game.moon) == (50, 8, "others")


def test_what_an_illegal_card_and_the_moon_cost_is_agreed_by_touch():
    at = touched(by("hearts-classic"), "Agreed", "An illegal card costs: nothing")
    assert title(at) == (
        "An illegal card costs: what a card that was laid against the rules, and not taken back, costs when the hand "
        "is scored."
    )
    at = touched(at, "its player gets 26 points, the others 0 that hand", "Shooting the moon: the others get them")
    at = touched(at, "the points are taken off the shooter's total, the others get none", "Done")
    assert new_match(at.setup).options == {"illegal": "26", "moon": "self"}
    game = step(table_of(""), new_match(at.setup)).state.game
    assert (game.illegal, game.moon, game.target) == ("26", "self", 100)
    assert (
        seen(table_of(""), at).ruling
        == "Agreed: An illegal card costs: 26 points; Shooting the moon: off one's own total."
    )


def test_the_seconds_of_the_tournament_are_agreed_beside_those_of_the_tables_file():
    at = keyed(by("hearts-tournament"), "a 5 3 0 return return")
    assert step(table_of(""), new_match(at.setup)).state.game.timeouts == {"play": 30, "pass": None}
    own = (("timeouts", {"play": 20, "pass": 60}), ("target", 50))
    at = keyed(by("hearts-tournament", options=own, of="hearts-tournament"), "a 5 3 0 return return")
    assert new_match(at.setup).options == {"timeouts": {"play": 30, "pass": 60}, "target": 50}
    nobody = keyed(at, "a 6 n return")
    assert new_match(nobody.setup).options == {"timeouts": {"play": 30, "pass": None}, "target": 50}


def test_spades_is_agreed_without_nil_and_with_an_exchange():
    at = keyed(by("spades"), "a 2 0 return 3 5 0 return 4 1 return")
    assert new_match(at.setup).options == {"nil": 0, "blind_nil": 50, "exchange": True}
    assert lines(at) == ["Target: 500", "Nil: none", "Blind nil: 50", "Exchange of cards: yes", "Suicide: no"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Suicide: not possible. Each side must have a nil, and none can be bid."),
        ("pt-PT", "Suicídio: não pode ser. Cada equipa tem de ter um nulo, e não se pode apostar nenhum."),
        ("pt-BR", "Suicídio: não pode ser. Cada time tem que ter um nulo, e não se pode apostar nenhum."),
    ],
)
def test_what_is_impossible_together_is_refused_in_the_words_of_the_rule_set(language, said):
    at = keyed(by("spades", language), "a 2 0 return 5 1")
    assert (title(at), new_match(at.setup).options) == (said, {"nil": 0})


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Blind nil: not possible. Only a blind nil exchanges cards, and none can be bid."),
        ("pt-PT", "Nulo cego: não pode ser. Só um nulo cego troca cartas, e não se pode apostar nenhum."),
    ],
)
def test_it_is_refused_from_the_other_side_too_also_when_the_table_or_a_reset_would_make_it_so(language, said):
    at = keyed(by("spades", language), "a 4 1 3 0 return")
    assert (title(at), new_match(at.setup).options) == (said, {"exchange": True})
    none = by("spades", language, options=(("blind_nil", 0),), of="spades")
    at = keyed(none, "a 3 2 0 0 return 4 1 3 x")
    assert (title(at), new_match(at.setup).options) == (said, {"blind_nil": 200, "exchange": True})


@pytest.mark.parametrize(
    ("rules", "keys", "said"),
    [
        ("hearts-classic", "a 1 0 return", "Target: not possible. 0 is not a number from 1 to 10000."),
        (
            "hearts-classic",
            "a 2 9 9 9 9 9 9 return",
            "Hands at most: not possible. 99999 is not a number from 1 to 1000.",
        ),
        (
            "hearts-tournament",
            "a 5 3 6 0 1 return",
            "Seconds for a card: not possible. 3601 is not a number from 0 to 3600.",
        ),
    ],
)
def test_a_number_that_the_rule_set_does_not_allow_is_refused_and_can_be_written_again(rules, keys, said):
    at = keyed(by(rules), keys)
    assert (title(at), at.typed, at.setup.agreed) == (said, "", ())
    assert keyed(at, "7 backspace 8").typed == "8"


def test_a_switch_and_all_of_them_go_back_to_what_the_rule_set_says():
    at = keyed(by("hearts-classic"), "a 1 5 0 return 4 2 3 2")
    assert new_match(at.setup).options == {"target": 50, "illegal": "26", "moon": "self"}
    at = touched(at, "Target: 50", "As the rule set says: 100")
    assert new_match(at.setup).options == {"illegal": "26", "moon": "self"}
    assert new_match(keyed(at, "3 1").setup).options == {"moon": "self"}  # chosen as it is there anyway
    at = touched(at, "As the rule set says", "Done")
    assert (at, new_match(at.setup).options) == (by("hearts-classic"), None)


def test_what_was_agreed_holds_for_the_next_match_and_goes_with_its_rule_set():
    at = keyed(by("hearts-classic"), "a 1 5 0 return return")
    over = table_of(MOMENTS["match over"])
    assert "Target: 50" in [tap.label for tap in seen(over, press(at, over, Command("agreed"))[0]).picker.taps]
    assert press(at, table_of(""), Command("play-by", "hearts-classic"))[0].setup == at.setup
    assert press(at, table_of(""), Command("play-by", "spades"))[0].setup.agreed == ()
    assert press(at, table_of(""), Command("seats", "5"))[0].setup.agreed == at.setup.agreed
    assert (
        press(at, table_of(""), Command("seats", "7"))[0].setup.agreed == ()
    )  # which only Black Maria can be played by


def test_the_help_knows_a_bid_that_was_agreed():
    rows = [
        row[1]
        for at in (by("spades"), keyed(by("spades"), "a 4 1 return"))
        for row in seen(table_of(""), press(at, table_of(""), Command("help"))[0]).grid.rows
    ]
    assert rows.count("blind nil with an exchange") == 1


def test_a_switch_that_the_rule_set_does_not_have_lies_open_nowhere():
    for rules, switch in (("hearts-classic", "nil"), ("hearts-classic", "timeouts.play"), ("spades", "moon")):
        at, _ = press(by(rules), table_of(""), Command("agree", switch))
        assert seen(table_of(""), at).picker is None
        assert press(at, table_of(""), Command("letter", "5")) == (by(rules), ())


def test_nothing_is_agreed_any_more_once_the_match_has_begun():
    at, table = keyed(by("hearts-classic"), "a 1 5"), table_of(MOMENTS["before the first hand"])
    for action in (Command("agree-on", "5"), Command("letter", "5"), Command("as-written"), Command("agree", "target")):
        after, entered = press(at, table, action)
        assert (seen(table, after).picker, after.setup.agreed, entered) == (None, (), ())


def test_r084_the_first_dealer_is_drawn_for():
    table = table_of(MOMENTS["before the first hand"])
    at, _, entered = typed(table, "n d q c q s 9 h q d")
    assert entered == ()
    assert seen(table, at).picker.title == "The highest card deals: Rita Q♣, Ada Q♠, Bo 9♥, Cleo Q♦"
    assert strike(at, table, "return") == (desk(), (person(f.Hand, dealer=1),))
    assert typed(table, "n d q c backspace k c")[0].cards == (card("KC"),)
    half = typed(table, "n d q c q s")[0]
    assert seen(table, half).picker.title == "Drawn: Rita Q♣, Ada Q♠. Bo: which card?"
    later = table_of(MOMENTS["scored"])
    assert "Draw cards for it" not in [tap.label for tap in seen(later, command(later, "dealer")).picker.taps]


def test_r084_seat_0_may_draw_the_highest_card_and_nobody_draws_after_the_last():
    table = table_of(MOMENTS["before the first hand"])
    at, _, entered = typed(table, "n d a s q s 9 h q d a c")
    assert (at.cards, entered) == ((card("AS"), card("QS"), card("9H"), card("QD")), ())
    assert strike(at, table, "return") == (desk(), (person(f.Hand, dealer=0),))


def drawn(*facts: f.Fact) -> list[tuple[int, str]]:
    """Who has drawn what after the words of devices, while the first deal is drawn for."""
    table = table_of(MOMENTS["before the first hand"])
    at = command(table, "draw")
    for fact in facts:
        at = shown_to_a_device(at, table, fact)
    return [(seat, str(c)) for seat, c in zip(at.drawn, at.cards, strict=True)]


def test_r084_a_card_shown_to_a_reader_or_the_camera_is_drawn_by_whoever_sits_there_or_the_next():
    first = f.Tag(seat=2, card=card("9H"), source="reader-2")
    assert drawn(
        first,
        f.Tag(card=card("KD"), source="reader-9"),
        f.Seen(seat=3, card=card("KS"), source="camera", confidence=0.97),
    ) == [(2, "9H"), (0, "KD"), (3, "KS")]
    assert drawn(first, first, f.Seen(seat=2, card=card("9H"), source="camera")) == [(2, "9H")]  # it lies there still
    assert drawn(first, f.Tag(seat=2, card=card("AS"), source="reader-2")) == [(2, "9H")]  # who has drawn has drawn
    assert drawn(first, f.Tag(seat=1, card=card("9H"), source="reader-1")) == [(2, "9H")]
    assert drawn(f.Seen(seat=3, card=card("KS"), source="camera", confidence=0.6)) == []
    assert drawn(f.Tag(seat=1, uid="04AA", source="reader-1"), f.Untag(seat=1, card=card("2C"))) == []


def test_r084_what_a_device_says_is_drawn_only_while_the_first_deal_is_drawn_for():
    said = f.Tag(seat=2, card=card("9H"), source="reader-2")
    for moment, what in (("before the first hand", "dealer"), ("before the first hand", "menu"), ("opening", "draw")):
        table = table_of(MOMENTS[moment])
        at = command(table, what)
        assert shown_to_a_device(at, table, said) == at


# --- bids, exchange, moon, time, leaving -----------------------------------------------------------------------------


def test_bids_are_entered_in_turn_by_keys():
    _, table, entered = typed(table_of(SPADES), "return 3 return 0 return q return r")
    assert entered == (
        person(f.Bid, seat=1, bid=3), person(f.Bid, seat=2, bid="nil"), person(f.Bid, seat=3, bid=10),
        person(f.Bid, seat=0, bid=13),
    )  # fmt: skip
    assert table.state.deal.phase == "playing"


def test_a_bid_of_any_player_is_entered_by_touching_the_player_or_from_the_menu():
    table = table_of(SPADES)
    assert seen(table, desk()).seats[3].tap.action == Command("bid", "3")
    assert typed(table, "escape 1 4 2")[2] == (person(f.Bid, seat=3, bid=2),)


def test_a_bid_is_put_right():
    table = table_of(MOMENTS["bids done"])
    at = command(table, "bid:2")
    assert seen(table, at).picker.title == "Bo: not nil but what?"
    _, after, entered = typed(table, "escape 2 3 2")
    assert entered == (person(f.Correct, n=4, set={"bid": 2}, reason="display"),)
    assert after.state.deal.auction.bids[2].tricks == 2


def test_no_card_is_typed_while_bids_are_made():
    table = table_of(SPADES)
    assert type_key(desk(), table, "q") == (desk(), ())
    assert type_key(command(table, "bid:1"), table, "k") == (command(table, "bid:1"), ())


def test_blind_nil_with_an_exchange_is_offered_where_it_was_agreed():
    with_exchange = table_of(game("spades", exchange=True) + HAND)
    offers = [[tap.key for tap in seen(t, command(t, "bid:1")).picker.taps] for t in (with_exchange, table_of(SPADES))]
    assert offers[0] == [*"123456789qwer0bx", "escape"]
    assert offers[1] == [*"123456789qwer0b", "escape"]
    assert typed(with_exchange, "return x")[2] == (person(f.Bid, seat=1, bid="blind-nil", exchange=True),)


def test_an_exchange_is_entered_by_number_by_cards_declined_or_done():
    table = table_of(EXCHANGING)
    assert typed(table, "return return")[2] == (
        person(f.Exchange, seat=2, count=2), person(f.Exchange, seat=0, count=2),
    )  # fmt: skip
    assert typed(table, "n 3")[2] == (person(f.Exchange, seat=2, count=3),)
    assert typed(table, "n n")[2] == (person(f.Exchange, seat=2, declined=True),)
    assert typed(table, "x")[2] == (person(f.Exchanged),)
    cards = (card("2C"), card("3D"))
    assert typed(table, "n k 2 c a s 3 d a s return")[2] == (person(f.Exchange, seat=2, cards=cards),)
    assert typed(table, "x")[1].state.deal.phase == "playing"


def test_the_cards_of_a_pass_can_be_named():
    _, table, entered = typed(table_of(PASSING), "escape 1 2 k q s a s k h return")
    assert entered == (person(f.Pass, seat=1, cards=(card("QS"), card("AS"), card("KH"))),)
    assert table.state.deal.pass_of(1).count == 3


def test_the_shooter_chooses():
    table = table_of(MOON)
    assert typed(table, "f2")[2] == (person(f.Choose, seat=2, choice="self"),)
    assert dict(typed(table, "f3")[1].state.totals) == {"0": 26, "1": 26, "2": 0, "3": 26}
    assert typed(table, "return")[1].state.deal.number == 2  # the default holds


def test_the_time_of_the_seat_in_turn_is_up():
    table = table_of(TOURNAMENT + "0:2C")
    assert typed(table, "escape 3")[2] == (person(f.Timeout, seat=1),)
    assert press(desk(), table, Command("seat", "1"))[0].argument == "1"
    assert typed(table, "escape 2 2 u")[2] == (person(f.Timeout, seat=1),)
    passing = table_of(game("hearts-tournament") + HAND)
    assert typed(passing, "escape 1 2 u")[2] == (person(f.Timeout, seat=1),)
    cardems = table_of(TURN)
    assert "The time is up" not in [tap.label for tap in seen(cardems, command(cardems, "seat:1")).picker.taps]


def test_a_player_who_leaves_is_asked_for_twice():
    table = table_of(TOURNAMENT + "0:2C")
    at, _, entered = typed(table, "escape 4 2")
    assert (at.open, at.argument, entered) == ("sure", "leaves:1", ())
    _, after, entered = typed(table, "escape 4 2 y")
    assert entered == (person(f.Leave, seat=1),)
    assert [tap.label for tap in seen(after, command(after, "leaver")).picker.taps] == ["Rita", "Bo", "Cleo", "Back"]


def test_tricks_are_given_out_in_a_game_with_bids():
    table = table_of(NIL_FAILED)
    at = command(table, "end-hand", "give:0+5", "give:1+1", "give:3*")
    assert (at.points, points_left(at, table.state)) == ((5, 1, 1, 6), 0)
    assert press(at, table, Command("end-hand"))[1] == (person(f.EndHand, tricks={0: 5, 1: 1, 2: 1, 3: 6}),)


def test_points_that_a_card_takes_off_are_given_too():
    table = table_of(MOMENTS["a bonus card"])
    at = command(table, "end-hand", "give:0-10", "give:1+20", "give:2*")
    assert at.points == (-10, 20, 6, 0)
    _, entered = press(at, table, Command("end-hand"))
    assert dict(step(table, entered[0]).state.totals)["0"] == -10


def test_a_match_begun_twice_by_one_impatient_finger_begins_once():
    begin = person(f.Match, rules="hearts-cardems", players=tuple(NAMES))
    assert press(desk(), table_of(""), begin)[1] == (begin,)
    assert press(desk(), table_of(MOMENTS["before the first hand"]), begin)[1] == ()
    assert press(desk(), table_of(MOMENTS["match over"]), begin)[1] == (begin,)


def test_the_number_of_passed_cards_is_entered_right_or_wrong():
    table = table_of(PASSING)
    at, _ = press(desk(), table, Command("pass", "1"))
    assert strike(at, table, "2") == (desk(), (person(f.Pass, seat=1, count=2),))
    assert strike(at, table, "3") == (desk(), (person(f.Pass, seat=1, count=3),))


def test_undo_takes_back_the_latest_thing_and_withdraw_the_latest_card():
    assert typed(table_of(OPENING_HAND), "u")[2] == (f.Correct(n=7, drop=True, source="person", reason="undo"),)
    assert typed(table_of(OPENING_HAND), "w")[2] == (person(f.Withdraw, seat=3, card=card("5C")),)
    assert typed(table_of(BREACH), "w")[2] == (person(f.Withdraw, seat=1, card=card("6D")),)


def test_undo_with_nothing_to_undo_does_nothing():
    assert press(desk(), table_of(MOMENTS["before the first hand"]), Command("undo")) == (desk(), ())


def test_an_earlier_card_is_corrected_by_choosing_the_wrong_one_and_then_the_right_one():
    table = table_of(OPENING_HAND + "3:5D 0:6D")
    _, after, entered = typed(table, "escape 1 3 c 6 c")
    assert entered == (person(f.Correct, n=5, set={"card": card("6C")}, reason="display"),)
    assert str(after.state.felt.tricks[0].card_of(1).card) == "6C"
    assert typed(table, "escape 1 3 c x")[2] == (f.Correct(n=5, drop=True, source="person", reason="display"),)


def test_a_card_can_be_given_to_the_player_who_laid_it():
    table = table_of(OPENING_HAND + "3:5D 0:6D")
    fact = person(f.Correct, n=9, set={"seat": 1}, reason="display")
    _, after, entered = typed(table, "escape 1 6 d n 2")
    assert entered == (fact,)
    assert [(laid.seat, str(laid.card)) for laid in after.state.felt.trick] == [(3, "5D"), (1, "6D")]
    assert typed(table, "escape 2 1 n 2")[2] == (fact,)
    who = seen(table, command(table, "laid-by:9")).picker
    assert (who.title, [tap.label for tap in who.taps]) == ("Who laid 6♦ in trick 2?", ["Ada", "Bo", "Cleo", "Back"])


def test_a_card_of_any_player_is_entered_by_keys_alone():
    table = table_of(TURN)
    assert typed(table, "escape 2 4 q s")[2] == (person(f.Play, seat=3, card=card("QS")),)  # out of turn
    assert typed(table, "escape 2 1 q s")[2] == (person(f.Play, seat=0, card=card("QS")),)  # a second card
    assert typed(table_of(held() + "0~2C"), "escape 2 1 y")[2] == (person(f.Confirm, n=4),)


def test_a_wrong_number_of_passed_cards_is_entered_by_keys_alone():
    _, table, entered = typed(table_of(PASSING), "escape 1 3 2")
    assert entered == (person(f.Pass, seat=2, count=2),)
    who = seen(table, command(table, "passer")).picker
    assert [(tap.label, tap.key) for tap in who.taps] == [
        ("Rita", "1"), ("Ada", "2"), ("Cleo", "4"), ("Back", "escape"),
    ]  # fmt: skip
    many = seen(table, command(table, "pass:0")).picker
    assert [(tap.label, tap.key) for tap in many.taps][:4] == [
        ("No card", "0"), ("1 card", "1"), ("2 cards", "2"), ("3 cards", "3"),
    ]  # fmt: skip


def test_of_two_cards_the_second_is_the_one_taken_back():
    table = table_of(TWO_CARDS)
    assert [tap.label for tap in seen(table, desk()).taps][1] == "Take 4♦ back"
    _, after, entered = typed(table, "w")
    assert entered == (person(f.Withdraw, seat=1, card=card("4D")),)
    assert (after.state.questions, str(after.state.felt.lies(1).card)) == ((), "3C")
    later = table_of(TWO_CARDS + "2#5C")  # played over: that card is the latest
    assert typed(later, "w")[2] == (person(f.Withdraw, seat=2, card=card("5C")),)


def test_a_second_card_of_a_seat_can_be_entered():
    table = table_of(TURN)
    at, _ = press(desk(), table, Command("second", "0"))
    assert press(at, table, Command("chosen", "3C"))[1] == (person(f.Play, seat=0, card=card("3C")),)


def test_a_card_in_doubt_can_be_confirmed_and_a_certain_one_need_not():
    doubtful, certain = table_of(held() + "0~2C"), table_of(held() + "0:2C")
    labels = [[tap.label for tap in seen(t, command(t, "seat:0")).picker.taps] for t in (doubtful, certain)]
    assert labels == [
        ["Take 2♣ back", "It is not 2♣", "Another player laid it", "It is 2♣", "A second card", "Back"],
        ["Take 2♣ back", "It is not 2♣", "Another player laid it", "A second card", "Back"],
    ]


def test_a_misdeal_the_end_of_the_match_and_leaving_are_asked_for_twice():
    table = table_of(TURN)
    assert typed(table, "escape 4 y")[2] == (person(f.Misdeal),)
    assert typed(table, "escape 5 y")[2] == (person(f.EndMatch),)
    at, _, entered = typed(table, "escape 8 y")
    assert (at, entered) == (replace(desk(), leaving=True), ())
    for keys in ("escape 4 escape", "escape 5 escape", "escape 8 escape"):
        assert typed(table, keys)[::2] == (desk(), ())


def test_a_hand_ends_by_agreement_when_all_points_are_given_out():
    table = table_of(TURN)
    at = command(table, "end-hand", "give:0+5", "give:1+1", "give:3*")
    assert (at.points, points_left(at, table.state)) == ((5, 1, 0, 20), 0)
    assert press(at, table, Command("end-hand")) == (
        desk(), (person(f.EndHand, points={0: 5, 1: 1, 2: 0, 3: 20}),),
    )  # fmt: skip


def test_points_are_given_out_by_keys_alone():
    table = table_of(TURN)
    assert typed(table, "escape 3 q 2 f return")[2] == (person(f.EndHand, points={0: 5, 1: 1, 2: 0, 3: 20}),)


def test_the_end_of_a_match_in_the_middle_of_a_hand_says_that_the_hand_does_not_count():
    titles = [seen(t, command(t, "sure:end-match")).picker.title for t in map(table_of, (TURN, SCORED))]
    assert titles == ["End the match now? The hand that is being played does not count.", "End the match now?"]


def test_a_hand_does_not_end_while_points_are_left():
    table = table_of(TURN)
    at = command(table, "end-hand", "give:0+5")
    for after, entered in (press(at, table, Command("end-hand")), strike(at, table, "return")):
        assert entered == ()
        shown = seen(table, after).picker
        assert shown.title == "The hand cannot end yet. Points still to give: 21. Rita 5, Ada 0, Bo 0, Cleo 0"
        assert "End the hand so" not in [tap.label for tap in shown.taps]
        again, _ = press(after, table, Command("give", "1*"))
        assert seen(table, again).picker.title == "End the hand: Rita 5, Ada 21, Bo 0, Cleo 0"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The hand cannot end yet. Tricks still to give: 10. Rita 0, Ada 0, Bo 3, Cleo 0"),
        ("pt-PT", "A mão ainda não pode acabar. Vazas por dar: 10. Rita 0, Ada 0, Bo 3, Cleo 0"),
        ("pt-BR", "A rodada ainda não pode acabar. Vazas por dar: 10. Rita 0, Ada 0, Bo 3, Cleo 0"),
    ],
)
def test_enter_says_how_many_tricks_are_missing(language, said):
    table = table_of(NIL_FAILED)
    at, entered = strike(command(table, "end-hand", "give:2+1", "give:2+1"), table, "return")
    assert (seen(table, replace(at, language=language)).picker.title, entered) == (said, ())


def test_one_that_was_given_too_much_is_taken_back_and_nobody_has_less_than_none():
    table = table_of(TURN)
    at = command(table, "end-hand", "give:0+1", "give:2*")
    fewer = {tap.label: tap.action for tap in seen(table, at).picker.taps if tap.label.endswith("−1")}
    assert fewer == {"Rita −1": Command("give", "0-1"), "Bo −1": Command("give", "2-1")}
    (key,) = (tap.key for tap in seen(table, at).picker.taps if tap.label == "Rita −1")
    less, _ = strike(at, table, key)
    assert (less.points, points_left(less, table.state)) == ((0, 0, 25, 0), 1)
    assert "Rita −1" not in [tap.label for tap in seen(table, less).picker.taps]


def test_no_more_points_are_given_than_there_are():
    table = table_of(TURN)
    assert command(table, "end-hand", *["give:2+5"] * 9).points == (0, 0, 26, 0)
    assert command(table, "end-hand", "give:2*", "give").points == (0, 0, 0, 0)


def test_the_points_taken_so_far_are_given_already():
    assert command(table_of(OPENING_HAND + "3:5D 0:6D 1:QS 2:9D"), "end-hand").points == (0, 0, 13, 0)


def test_the_language_goes_round():
    at, table = desk(), table_of("")
    spoken = []
    for _ in range(3):
        spoken.append(seen(table, at).taps[-2].label)
        at, _ = strike(at, table, "l")
    assert (at, spoken) == (desk(), ["Português", "Português do Brasil", "English"])


# --- what is asked for away from the display --------------------------------------------------------------------------


def asked(table: Table, name: str, seat: int | str = "", at: Desk | None = None) -> Answered:
    """What a button or a card that commands asks for, at a display that shows *at*."""
    at = at or desk()
    return obey(at, table, Command(name, str(seat)), seen(table, at))


@pytest.mark.parametrize("moment", MOMENTS)
def test_confirm_is_what_enter_does(moment):
    table = table_of(MOMENTS[moment])
    assert asked(table, "confirm") == strike(desk(), table, "return")


def test_confirm_answers_what_lies_open():
    table = table_of(TURN)
    at = command(table, "end-hand", "give:2*")
    assert asked(table, "confirm", at=at) == (desk(), (person(f.EndHand, points={0: 0, 1: 0, 2: 26, 3: 0}),))
    unfinished = command(table, "end-hand")
    assert asked(table, "confirm", at=unfinished) == (replace(unfinished, refused="26"), ())
    sure = command(table, "sure:end-match")  # takes a finger: Enter is not among its keys
    assert asked(table, "confirm", at=sure) == (sure, ())


def test_undo_is_the_button_undo():
    table = table_of(OPENING_HAND)
    assert asked(table, "undo") == (desk(), (f.Correct(n=7, drop=True, source="person", reason="undo"),))


def test_the_next_hand_is_dealt_between_two_hands_only():
    dealt = {moment: asked(table_of(script), "next-hand")[1] for moment, script in MOMENTS.items()}
    between = ("before the first hand", "misdeal", "scored", "spades scored", "revoke in spades, scored")
    between += ("three players, before the first hand", "moon to be chosen", "moon chosen", "private proof, scored")
    assert {moment for moment, facts in dealt.items() if facts} == set(between)
    assert dealt["scored"] == (person(f.Hand, dealer=1),)


def test_the_end_of_a_hand_asks_for_the_points_first():
    table = table_of(TURN)
    assert asked(table, "end-hand") == (command(table, "end-hand"), ())
    over = table_of(SCORED)
    assert seen(over, asked(over, "end-hand")[0]) == seen(over, desk())


def test_what_nothing_at_the_table_may_ask_for_changes_nothing():
    for name in ("leave", "language", "sure", "", "card"):
        assert asked(table_of(TURN), name) == (desk(), ())
    assert len(COMMANDS) == 5


@pytest.mark.parametrize(
    ("script", "seat", "means"),
    [
        (PASSING, 2, person(f.Pass, seat=2, count=3)),
        (PASSING + '{"fact":"pass","seat":1,"count":2}', 1, None),  # it has
        (PASSING + "".join(f'{{"fact":"pass","seat":{i},"count":3}} ' for i in range(4)), 1, person(f.Passed)),
        (EXCHANGING, 2, person(f.Exchange, seat=2, count=2)),
        (EXCHANGING, 1, None),
        (SCORED, 1, person(f.Hand, dealer=1)),  # between two hands nobody's turn is at stake
        (TURN, 3, None),
        ("", 3, new_match(SETUP)),
    ],
)
def test_the_button_of_a_seat_says_what_needs_no_words_of_that_player_and_no_other(script, seat, means):
    after, entered = asked(table_of(script), "confirm", seat)
    assert (after, entered) == (desk(), () if means is None else (replace(means, source="person"),))


def test_the_button_of_the_seat_in_turn_opens_what_enter_opens():
    assert asked(table_of(TURN), "confirm", 1) == (command(table_of(TURN), "card:1"), ())
    assert asked(table_of(SPADES), "confirm", 1) == (command(table_of(SPADES), "bid:1"), ())


def test_a_player_in_doubt_says_that_the_card_was_read_right():
    for moment in ("doubt", "unreadable card"):
        table = table_of(MOMENTS[moment])
        (question,) = table.state.questions
        after, (answer,) = asked(table, "confirm", question.seat)
        assert (after, answer) == (desk(), person(f.Answer, question=question.id))
        assert asked(table, "confirm", (question.seat + 2) % 4) == (desk(), ())
        answered = step(table, answer)
        assert (question.id, question.of) not in [(q.id, q.of) for q in answered.state.questions]
        assert [line for line in answered.lines if line.get("ruling") == "ignored"] == []


def test_a_player_says_whose_card_it_is_that_nobody_knows_of():
    table = table_of(MOMENTS["whose card"])
    (question,) = table.state.questions
    assert asked(table, "confirm", 2) == (desk(), (person(f.Answer, question=question.id, seat=2),))


def test_no_press_says_which_of_two_cards_it_is():
    for moment, seat in (("two cards", 1), ("conflict", 1), ("card seen twice", 0), ("covered card", 2)):
        table = table_of(MOMENTS[moment])
        assert [question.seat for question in table.state.questions] == [seat]
        assert asked(table, "confirm", seat)[1] == ()


# --- a pause ----------------------------------------------------------------------------------------------------------


def test_a_pause_says_who_asked_for_it_and_a_second_ends_it():
    table = table_of(TURN)
    at, entered = asked(table, "pause", 2)
    assert (at, entered) == (replace(desk(), pause=Pause(2, table.n)), ())
    assert seen(table, at).headline == "Bo has paused the game."
    assert asked(table, "pause", 3, at) == (desk(), ())
    somebody = asked(table, "pause")[0]
    assert [seen(table, replace(somebody, language=spoken)).headline for spoken in ("en", "pt-PT", "pt-BR")] == [
        "Paused.",
        "Em pausa.",
        "Em pausa.",
    ]


def test_in_a_pause_enter_goes_on_and_nothing_else_owns_that_key():
    for moment in ("passing", "in a trick", "bidding", "scored"):
        table = table_of(MOMENTS[moment])
        at = command(table, "pause")
        enter = [tap for tap in taps_of(seen(table, at)) if tap.key == "return"]
        assert [(tap.label, tap.strong) for tap in enter] == [("Go on", True)]
        assert strike(at, table, "return") == asked(table, "confirm", 2, at) == (desk(), ())


def test_the_pause_is_in_the_menu_and_so_is_its_end():
    table = table_of(TURN)
    labels = [
        next(tap.label for tap in seen(table, at).picker.taps if tap.action == Command("pause"))
        for at in (command(table, "menu"), command(table, "pause", "menu"))
    ]
    assert labels == ["Pause the game", "Go on"]


@pytest.mark.parametrize(
    ("more", "goes_on"),
    [
        ("1:3C", True),
        ("1#3C", True),
        ("1~3C", True),
        ("3:3C", True),  # out of turn, too
        ('{"fact":"lost","device":"reader-1"}', False),
        ('{"fact":"tag","uid":"04AA"}', False),
        ("0-2C", False),
        ('{"fact":"misdeal"} {"fact":"hand","dealer":0}', True),
    ],
)
def test_a_card_laid_ends_a_pause_and_nothing_else_of_what_is_told(more, goes_on):
    at = command(table_of(TURN), "pause")
    later = table_of(TURN + more)
    assert (paused(at, later) is None) == goes_on
    assert ("Paused." in seen(later, at).headline) == (not goes_on)


def test_without_a_match_in_progress_there_is_nothing_to_pause():
    for moment in ("before a match", "match over"):
        assert asked(table_of(MOMENTS[moment]), "pause", 1) == (desk(), ())


# --- a table that moves on -------------------------------------------------------------------------------------------


def test_a_picker_closes_when_a_reader_was_quicker():
    half = typed(table_of(TURN), "q")[0]
    assert seen(table_of(TURN), half).picker is not None
    for more in ("1#3C", "1#3C 2#4C 3#5C 3#5D 0#6D"):  # … and does not open again when the seat's turn comes
        later = table_of(TURN + more)
        assert seen(later, half).picker is None
        assert type_key(half, later, "s") == (desk(), ())


def test_what_belongs_to_a_hand_closes_with_it():
    over = table_of(MOMENTS["scored"])
    again = table_of(MOMENTS["scored"] + ' {"fact":"hand"} {"fact":"passed"}')
    for open in ("card", "second", "whose", "seat", "pass", "answer", "wrong", "correct", "end-hand"):
        at = Desk(SETUP, open=open, argument="1", points=(0, 0, 0, 0), since=2)
        assert seen(over, at) == seen(over, desk())
        assert seen(again, at) == seen(again, desk())
        assert press(at, over, Command("chosen", "1")) == (desk(), ())


def test_only_cards_that_are_not_on_the_felt_can_be_chosen():
    table = table_of(held() + FIRST_TRICK)
    assert len(choosable(desk(), table)) == 48
    assert [str(c) for c in choosable(command(table, "wrong"), table)] == ["2C", "3C", "4C", "5C"]
