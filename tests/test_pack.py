"""Whether a pack is whole: what has been seen of it, by tags and on pictures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import ALL_CARDS, FULL_DECK, card, cards_of
from tablepi.pack import AT_ONCE_S, Pack

QS, TWO_D = card("QS"), card("2D")


def cards(names):
    return cards_of(map(card, names.split()))


def test_a_pack_is_right_when_each_of_its_cards_has_been_seen():
    pack = Pack(cards("QS KS"))
    assert (pack.missing, pack.number, pack.right) == (cards("QS KS"), 0, False)
    pack = pack.tag("04A1B2C3", QS, 0.0)
    assert (pack.missing, pack.number, pack.right) == (cards("KS"), 1, False)
    pack = pack.picture([card("KS")])
    assert (pack.missing, pack.number, pack.right) == (0, 2, True)


def test_the_same_tag_again_is_no_second_card_and_neither_is_a_card_on_two_pictures():
    pack = Pack(QS.bit).tag("04A1B2C3", QS, 0.0).tag("04A1B2C3", QS, 0.1).picture([QS]).picture([QS])
    assert (pack.right, pack.perhaps, pack.twice) == (True, 0, 0)


def test_two_tags_of_a_card_at_once_are_a_hint():
    at_once = Pack(QS.bit).tag("04A1B2C3", QS, 0.0).tag("04A1B2C4", QS, AT_ONCE_S)
    assert (at_once.perhaps, at_once.right) == (QS.bit, True)
    later = Pack(QS.bit).tag("04A1B2C3", QS, 0.0).tag("04A1B2C4", QS, AT_ONCE_S + 0.1)
    assert later.perhaps == 0
    seen = Pack(QS.bit).picture([QS], perhaps=QS.bit)
    assert (seen.perhaps, seen.twice, seen.right) == (QS.bit, 0, True)
    others = Pack(QS.bit).tag("04A1B2C3", QS, 0.0).tag("04A1B2C4", TWO_D, 0.1)
    assert others.perhaps == 0


def test_two_of_a_card_on_one_picture_are_two():
    pack = Pack(QS.bit).picture([QS, QS])
    assert (pack.twice, pack.missing, pack.right) == (QS.bit, 0, False)


def test_what_does_not_belong_to_it_is_kept_apart():
    pack = Pack(FULL_DECK & ~TWO_D.bit).tag("04A1B2C3", TWO_D, 0.0)
    assert (pack.others, pack.there, pack.right) == (TWO_D.bit, 0, False)
    whole = Pack(QS.bit).tag("04A1B2C3", QS, 0.0)
    assert not whole.picture([TWO_D]).right


def test_a_tag_that_is_in_no_card_is_told_once_and_each_card_that_cannot_be_read():
    whole = Pack(QS.bit).picture([QS])
    pack = whole.tag("DEADBEEF", None, 0.0).tag("DEADBEEF", None, 5.0)
    assert (pack.foreign, pack.right) == (("DEADBEEF",), False)
    pack = whole.picture([], unread=["a.jpg", "a.jpg"])
    assert (pack.unread, pack.right) == (("a.jpg", "a.jpg"), False)


@given(st.lists(st.sampled_from(ALL_CARDS)), st.integers(0, FULL_DECK))
def test_every_card_seen_is_there_or_of_another_pack(seen, wanted):
    pack = Pack(wanted)
    for number, each in enumerate(seen):
        pack = pack.tag(f"04A1B2{each.index:02X}", each, float(number)) if number % 2 else pack.picture([each])
    assert pack.there | pack.others == cards_of(seen)
    assert pack.there & ~wanted == pack.others & wanted == 0
    assert pack.missing == wanted & ~cards_of(seen)
