"""Facts at the door: what is let in, what is refused and with which words, and the way to JSON and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablepi import facts
from tablepi.cards import card
from tablepi.facts import (
    KINDS,
    Answer,
    Bid,
    Correct,
    EndHand,
    Hand,
    Holds,
    Match,
    NotAFact,
    Pass,
    Play,
    Seen,
    Tag,
    corrected,
    dumps,
    from_dict,
    parse,
    to_dict,
)
from tests.strategies import BY_KIND, any_fact, plain_json

SEATS = "a seat: seats are numbered from 0"


def test_the_strategies_make_every_kind_of_fact():
    assert set(BY_KIND) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_called_what_json_calls_it(kind):
    assert KINDS[kind].kind == kind


@given(any_fact)
def test_every_fact_goes_to_json_and_back_unchanged(fact):
    line = dumps(to_dict(fact))
    assert parse(line) == fact
    assert dumps(to_dict(parse(line))) == line
    assert "\n" not in line
    assert next(iter(json.loads(line))) == "fact"
    line.encode()


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ('{"fact":"match","rules":"hearts-cardems","players":["Rita","Ada","Bo","Cleo"],"options":{"target":50}}',
         Match(rules="hearts-cardems", players=("Rita", "Ada", "Bo", "Cleo"), options={"target": 50})),
        ('{"fact":"hand","dealer":0,"hands":{"0":"QS AS"}}', Hand(dealer=0, hands={0: (card("QS"), card("AS"))})),
        ('{"fact":"holds","seat":0,"cards":"QS AS"}', Holds(seat=0, cards=(card("QS"), card("AS")))),
        ('{"fact":"pass","seat":0,"count":3}', Pass(seat=0, count=3)),
        ('{"fact":"bid","seat":1,"bid":"blind-nil","exchange":true}', Bid(seat=1, bid="blind-nil", exchange=True)),
        ('{"fact":"play","seat":2,"card":"2C"}', Play(seat=2, card=card("2C"))),
        ('{"fact":"seen","seat":2,"card":"2C","steady":0.4,"at":3.5,"source":"camera","confidence":0.98}',
         Seen(seat=2, card=card("2C"), steady=0.4, at=3.5, source="camera", confidence=0.98)),
        ('{"fact":"tag","seat":2,"uid":"04a1"}', Tag(seat=2, uid="04a1")),
        ('{"fact":"answer","question":"q3","card":"9C"}', Answer(question="q3", card=card("9C"))),
        ('{"fact":"correct","n":17,"set":{"card":"9C","source":null},"reason":"misread"}',
         Correct(n=17, set={"card": card("9C"), "source": None}, reason="misread")),
        ('{"fact":"correct","before":17,"insert":{"fact":"play","seat":2,"card":"2C"}}',
         Correct(before=17, insert=Play(seat=2, card=card("2C")))),
        ('{"fact":"end-hand","points":{"0":3,"1":4,"2":16,"3":3}}', EndHand(points={0: 3, 1: 4, 2: 16, 3: 3})),
    ],
)  # fmt: skip
def test_the_contracts_lines_are_read_and_written_as_they_stand(line, fact):
    assert (parse(line), dumps(to_dict(fact))) == (fact, line)


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ('{"card":"10c","seat":"2","fact":"play"}', Play(seat=2, card=card("TC"))),
        ('{"fact":"holds","seat":0,"cards":["QS","A♠"]}', Holds(seat=0, cards=(card("QS"), card("AS")))),
        ('{"fact":"play","seat":2,"card":"2C","at":null}', Play(seat=2, card=card("2C"))),
        (' {"fact":"play","seat":2,"card":"2C"} \n', Play(seat=2, card=card("2C"))),
        ('{"fact":"pass","seat":0,"cards":"QS AS KH","count":3}',
         Pass(seat=0, cards=(card("QS"), card("AS"), card("KH")), count=3)),
    ],
)  # fmt: skip
def test_input_may_be_written_loosely(line, fact):
    assert parse(line) == fact


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", 'not JSON: Expecting value: line 1 column 1 (char 0): ""'),
        ("{", r"not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1): "
              '"{"'),
        ("[]", "not a JSON object: []"),
        ("12", "not a JSON object: 12"),
        ("{}", 'no "fact": each line says its kind, such as {"fact":"play","seat":2,"card":"2C"}'),
        ('{"fact":"dance"}', f'unknown fact "dance": known are {", ".join(KINDS)}'),
        ('{"fact":["play"]}', f'unknown fact ["play"]: known are {", ".join(KINDS)}'),
        ('{"fact":"passed","seat":1}', 'passed: unknown field "seat": its fields are at, source, confidence'),
        ('{"fact":"play"}', "play: seat, card missing"),
        ('{"fact":"play","seat":null,"card":"2C"}', "play: seat missing"),
        ('{"fact":"play","seat":7,"card":"2C"}', f"play: seat: 7 is not {SEATS}"),
        ('{"fact":"play","seat":-1,"card":"2C"}', f"play: seat: -1 is not {SEATS}"),
        ('{"fact":"play","seat":true,"card":"2C"}', f"play: seat: true is not {SEATS}"),
        ('{"fact":"play","seat":1.0,"card":"2C"}', f"play: seat: 1.0 is not {SEATS}"),
        ('{"fact":"play","seat":"N","card":"2C"}', f'play: seat: "N" is not {SEATS}'),
        ('{"fact":"play","seat":"²","card":"2C"}', f'play: seat: "²" is not {SEATS}'),
        ('{"fact":"play","seat":1,"card":"1C"}',
         "play: card: '1C' is not a card: write rank then suit, such as QS, TC or 10C"),
        ('{"fact":"play","seat":1,"card":12}', 'play: card: 12 is not a card: write it like "QS"'),
        ('{"fact":"holds","seat":1,"cards":3}', 'holds: cards: 3 is not a list of cards: write them like "QS AS KH"'),
        ('{"fact":"holds","seat":1,"cards":"QS qs"}', "holds: cards: QS is written twice in 'QS qs'"),
        ('{"fact":"passed","at":-1}', "passed: at: -1 is not a number of 0 or more"),
        ('{"fact":"passed","at":"1"}', 'passed: at: "1" is not a number'),
        ('{"fact":"passed","at":NaN}', "passed: at: NaN is not a number"),
        ('{"fact":"passed","at":1e999}', "passed: at: Infinity is not a number"),
        ('{"fact":"passed","at":true}', "passed: at: true is not a number"),
        ('{"fact":"passed","confidence":1.5}', "passed: confidence: 1.5 is not a number of 0 to 1"),
        ('{"fact":"passed","source":" "}', 'passed: source: " " is not a text'),
        ('{"fact":"passed","source":3}', "passed: source: 3 is not a text"),
        ('{"fact":"bid","seat":1,"bid":14}', 'bid: bid: 14 is not a bid: 1 to 13, "nil" or "blind-nil"'),
        ('{"fact":"bid","seat":1,"bid":0}', 'bid: bid: 0 is not a bid: 1 to 13, "nil" or "blind-nil"'),
        ('{"fact":"bid","seat":1,"bid":"none"}', 'bid: bid: "none" is not a bid: 1 to 13, "nil" or "blind-nil"'),
        ('{"fact":"bid","seat":1,"bid":3,"exchange":1}', "bid: exchange: 1 is neither true nor false"),
        ('{"fact":"choose","seat":1,"choice":"all"}', 'choose: choice: "all" is not a choice: "self" or "others"'),
        ('{"fact":"confirm","n":0}', "confirm: n: 0 is not a whole number of 1 or more"),
        ('{"fact":"pass","seat":1,"count":53}', "pass: count: 53 is not a whole number of 0 to 52"),
        ('{"fact":"pass","seat":1}', "pass: say the cards or their count"),
        ('{"fact":"pass","seat":1,"cards":"QS","count":3}', "pass: 1 cards are named but count is 3"),
        ('{"fact":"exchange","seat":1}', 'exchange: say the cards, their count, or "declined":true'),
        ('{"fact":"tag","seat":1}', "tag: say the card or the uid"),
        ('{"fact":"untag","seat":1}', "untag: say the card or the uid"),
        ('{"fact":"match","rules":"x","players":"Rita"}', 'match: players: "Rita" is not a list of names'),
        ('{"fact":"match","rules":"x","players":["Rita",""]}', 'match: players: ["Rita", ""] is not a list of names'),
        ('{"fact":"match","rules":"x","players":["Rita"]}', "match: players: 1 players: 2 to 7 can play"),
        ('{"fact":"match","rules":"x","players":["a","b"],"options":[]}', "match: options: [] is not an object"),
        ('{"fact":"hand","hands":[]}', "hand: hands: [] is not an object"),
        ('{"fact":"hand","hands":{"9":"QS"}}', f"hand: hands: 9 is not {SEATS}"),
        ('{"fact":"hand","hands":{"0":"QS","1":"QS"}}', "hand: hands: QS is in two hands"),
        ('{"fact":"correct"}', "correct: say n (with set or drop) or before (with insert)"),
        ('{"fact":"correct","n":1,"before":2,"drop":true}', "correct: n and before do not go together"),
        ('{"fact":"correct","n":1}', 'correct: with n say set or "drop":true'),
        ('{"fact":"correct","n":1,"drop":false}', 'correct: with n say set or "drop":true'),
        ('{"fact":"correct","n":1,"set":{"seat":1},"drop":true}', "correct: set and drop do not go together"),
        ('{"fact":"correct","before":1}', "correct: with before say insert"),
        ('{"fact":"correct","n":1,"drop":true,"insert":{"fact":"passed"}}',
         "correct: insert goes with before, not with n"),
        ('{"fact":"correct","before":1,"insert":{"fact":"match","rules":"x","players":["a","b"]}}',
         "correct: a match cannot be inserted"),
        ('{"fact":"correct","before":1,"insert":{"fact":"correct","n":1,"drop":true}}',
         "correct: a correct cannot be inserted"),
        ('{"fact":"correct","before":1,"insert":{"fact":"play"}}', "correct: insert: play: seat, card missing"),
        ('{"fact":"correct","n":1,"set":{}}', "correct: set: nothing to set"),
        ('{"fact":"correct","n":1,"set":{"n":2}}', "correct: set: 'n' is not a field that can be set"),
        ('{"fact":"correct","n":1,"set":{"colour":2}}', "correct: set: 'colour' is not a field that can be set"),
        ('{"fact":"correct","n":1,"set":{"seat":9}}', f"correct: set: seat: 9 is not {SEATS}"),
        ('{"fact":"answer","question":"q1","card":"2C","seat":1}', "answer: say the card or the seat, not both"),
        ('{"fact":"end-hand","points":{"0":1001}}',
         "end-hand: points: 1001 is not a whole number of -1000 to 1000"),
    ],
)  # fmt: skip
def test_what_is_no_fact_is_refused_with_field_value_and_what_would_do(line, message):
    with pytest.raises(NotAFact) as refused:
        parse(line)
    assert str(refused.value) == message


def test_a_long_value_is_shown_by_its_beginning():
    with pytest.raises(NotAFact) as refused:
        parse(json.dumps({"fact": "x" * 200}))
    assert f'unknown fact "{"x" * 56}…: known are' in str(refused.value)


@given(st.text(max_size=30))
def test_any_text_is_a_fact_or_refused(text):
    with pytest.raises(NotAFact):
        parse(text)


@given(st.dictionaries(st.sampled_from(["fact", *facts._PARSE]), st.one_of(st.sampled_from(list(KINDS)), plain_json)))
def test_any_object_is_a_fact_that_round_trips_or_refused(line):
    try:
        fact = from_dict(line)
    except NotAFact:
        return
    assert from_dict(to_dict(fact)) == fact


@pytest.mark.parametrize("depth", [5, 50, 400, 900, 5_000, 100_000])
@pytest.mark.parametrize("nested", ["[%s]", '{"a":%s}'], ids=["lists", "objects"])
@pytest.mark.parametrize(
    "around",
    ["%s", '{"fact":"match","rules":"x","players":["a","b"],"options":{"deep":%s}}', '{"fact":"passed","at":%s}',
     '{"fact":%s}', '{"fact":"correct","n":1,"set":{"options":{"deep":%s}}}'],
)  # fmt: skip
def test_depth_of_nesting_breaks_nothing(depth, nested, around):
    opening, closing = nested.split("%s")
    try:
        fact = parse(around % (opening * depth + "1" + closing * depth))
    except NotAFact:
        return
    assert parse(dumps(to_dict(fact))) == fact


@pytest.mark.parametrize("depth", [50, 400, 900, 5_000])
def test_insertions_inside_insertions_are_refused(depth):
    line = '{"fact":"correct","before":1,"insert":' * depth + '{"fact":"passed"}' + "}" * depth
    with pytest.raises(NotAFact):
        parse(line)


@pytest.mark.parametrize(
    "line",
    [
        '{"fact":"passed","at":1' + "0" * 400 + "}",
        '{"fact":"passed","source":"\\ud800"}',
        '{"fact":"match","rules":"x","players":["a","\\udfff"]}',
        '{"fact":"match","rules":"x","players":["a","b"],"options":{"target":NaN}}',
        '{"fact":"match","rules":"x","players":["a","b"],"options":{"\\ud800":1}}',
        '{"fact":"exchange","seat":1,"declined":false}',
        '{"fact":"exchange","seat":1,"cards":"QS","count":3}',
        '{"fact":"exchange","seat":1,"cards":"QS","declined":true}',
        '{"fact":"correct","before":1,"insert":{"fact":"passed"},"drop":true}',
        '{"fact":"correct","before":1,"insert":{"fact":"passed"},"set":{"seat":1}}',
    ],
    ids=["a number beyond floats", "half a character", "half a character in a name", "no number", "half a key",
         "neither exchanged nor declined", "two counts", "declined and done", "insert and drop", "insert and set"],
)  # fmt: skip
def test_what_could_not_be_written_or_means_two_things_is_refused(line):
    with pytest.raises(NotAFact):
        parse(line)


def test_only_the_camera_can_be_doubted():
    told = [
        Play(seat=0, card=card("2C"), source=source) for source in (None, "person", "reader-1", "camera", "camera-2")
    ]
    assert [fact.by_camera for fact in told] == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("changes", "after"),
    [
        ({"card": card("9C")}, Play(seat=2, card=card("9C"), at=1.0)),
        ({"at": None}, Play(seat=2, card=card("2C"))),
        ({"seat": None}, None),
        ({"uid": "04"}, None),
        ({}, Play(seat=2, card=card("2C"), at=1.0)),
    ],
)
def test_a_correction_gives_the_changed_fact_or_none_when_it_would_be_no_fact(changes, after):
    assert corrected(Play(seat=2, card=card("2C"), at=1.0), changes) == after


def test_a_correction_that_contradicts_the_rest_of_the_fact_gives_none():
    assert corrected(Pass(seat=0, count=3), {"cards": (card("QS"),)}) is None


def test_a_fact_cannot_be_changed():
    with pytest.raises(AttributeError):
        Play(seat=2, card=card("2C")).seat = 3
