"""The bench of readers counts what went wrong, and times what went right."""

from tablepi.cards import card
from tablepi.facts import Lost, Tag
from tablepi.virtual.world import uid_of

from ..bench.readers import Watch

QS, TWO_C = card("QS"), card("2C")


def tag(laid, seat=1):
    return Tag(seat=seat, card=laid, uid=uid_of(laid), source=f"reader-{seat}")


def counted(watch):
    return {"lost": watch.lost, "phantom": watch.phantom, "double": watch.double, "boards": watch.lost_devices}


def test_a_card_that_is_told_once_each_time_it_is_laid_is_in_order():
    watch = Watch()
    for _ in range(3):
        watch.lay(1, QS)
        watch.tell(tag(QS))
    assert counted(watch) == {"lost": 0, "phantom": 0, "double": 0, "boards": 0}


def test_what_is_not_told_is_told_twice_or_does_not_lie_there_is_counted():
    watch = Watch()
    watch.lay(1, QS)
    watch.lay(1, TWO_C)
    for fact in (tag(TWO_C), tag(TWO_C), tag(QS, seat=2), Lost(device="reader-1")):
        watch.tell(fact)
    assert counted(watch) == {"lost": 1, "phantom": 1, "double": 2, "boards": 1}


def test_time_runs_from_the_answer_that_has_the_card_to_the_first_pin_that_changes():
    watch = Watch()
    watch.changed()
    watch.lay(1, QS)
    watch.changed()  # for another reason: the chip has not said it yet
    watch.said(2, bytes.fromhex(uid_of(QS)))
    watch.said(1, bytes.fromhex(uid_of(TWO_C)))
    assert watch.from_bytes == []
    watch.said(1, b"\x01" + bytes.fromhex(uid_of(QS)))
    watch.changed()
    watch.changed()
    assert (len(watch.from_bytes), len(watch.from_laying)) == (1, 1)
    assert 0 <= watch.from_bytes[0] <= watch.from_laying[0]
