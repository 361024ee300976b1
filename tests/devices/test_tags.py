"""Bytes to facts, without a port and without waiting: the times are handed in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import card
from tablepi.devices.roles import Role
from tablepi.devices.tags import LONGEST_LINE, STRANGE, Change, Lines, Presence, Read, TagDecoder, decimal_uid, uid
from tablepi.facts import NO_TAGS, Found, Holds, Lost, Tag, Untag

A = "04A1B2C3D4E580"
B = "DEADBEEF"
C = "E004015012345678"


@pytest.mark.parametrize(
    "text",
    [
        "04A1B2C3D4E580",
        "04a1b2c3d4e580",
        "04:A1:B2:C3:D4:E5:80",
        "04-a1-b2-c3-d4-e5-80",
        " 04 A1 B2 C3 D4 E5 80 ",
    ],
)
def test_a_uid_is_the_same_however_it_is_written(text):
    assert uid(text) == A


@pytest.mark.parametrize(
    "text", ["", "04A1B2", "04A1B2C", "04A1B2C3D", "04A1B2G3", "00" * 11, "04  A1B2C3", ":04A1B2C3"]
)
def test_what_is_no_uid_is_refused_with_its_text(text):
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        uid(text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("received", "uids", "dropped"),
    [
        (b"04A1B2C3D4E580\r", (A,), 0),
        (b"04A1B2C3D4E580\n", (A,), 0),
        (b"04A1B2C3D4E580\r\n", (A,), 0),
        (b"04A1B2C3D4E580\r\nDEADBEEF\r\n", (A, B), 0),
        (b"\x0204A1B2C3D4E580\x03\x02DEADBEEF\x03", (A, B), 0),
        (b"\x00\xff\xfe  04:a1:b2:c3:d4:e5:80 \xff\r\n", (A,), 0),
        (b"Card UID: 04 A1 B2 C3 D4 E5 80\r\n", (A,), 0),
        (b"AB:CD:EF:12\r", ("ABCDEF12",), 0),
        (b"\r\n\r\n\n", (), 0),
        (b"ready\r\nDEADBEEF\r\n", (B,), 1),
        (b"04A1B2\xffC3D4E580\r\nDEADBEEF\r\n", (B,), 1),
        (b"04A1B2C3D4E58\r\nDEADBEEF\r\n", (B,), 1),
        (b"DEADBEEF", (), 0),
    ],
    ids=[
        "CR",
        "LF",
        "CR LF",
        "joined",
        "STX and ETX",
        "noise around",
        "words before",
        "letters before a colon",
        "empty lines",
        "words alone",
        "noise within",
        "a digit lost",
        "not ended",
    ],
)
def test_lines_are_cut_into_uids(received, uids, dropped):
    whole = Lines()
    assert tuple(read.uid for read in whole.feed(received, 1.0)) == uids
    assert whole.dropped == dropped

    split = Lines()
    assert tuple(r.uid for i in range(len(received)) for r in split.feed(received[i : i + 1], 1.0)) == uids
    assert split.dropped == dropped


def test_a_line_begun_long_ago_does_not_spoil_the_next():
    lines = Lines(idle_s=1.0)
    assert lines.feed(b"04A1", 1.0) == ()
    assert lines.feed(b"DEADBEEF\r", 2.5) == (Read(B),)
    assert lines.dropped == 1


def test_a_line_that_pauses_less_than_the_idle_time_is_one_line():
    lines = Lines(idle_s=1.0)
    assert lines.feed(b"DEAD", 1.0) == ()
    assert lines.feed(b"", 1.9) == ()
    assert lines.feed(b"BEEF\r", 2.0) == (Read(B),)


@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_an_overlong_line_is_dropped_whole_and_the_next_is_read(piece):
    lines = Lines()
    received = b"DE" * LONGEST_LINE + b"\rDEADBEEF\r"
    found = [r.uid for i in range(0, len(received), piece) for r in lines.feed(received[i : i + piece], 1.0)]
    assert (found, lines.dropped) == ([B], 1)


@given(st.lists(st.binary(max_size=200)))
def test_no_bytes_upset_the_lines_and_what_comes_out_is_a_uid(pieces):
    lines = Lines()
    for i, piece in enumerate(pieces):
        for read in lines.feed(piece, i / 3):
            assert uid(read.uid) == read.uid
    assert len(lines._begun) <= LONGEST_LINE


def changes(presence, *said):
    """What the presence makes of (time, tags said then) pairs: (time, what changes)."""
    told = [(at, change) for at, tags in said for change in presence.heard(tags, at)]
    return [(at, change.tag if change.laid else f"-{change.tag}") for at, change in told]


def test_a_tag_that_lies_still_is_one_read_however_long_it_is_said():
    assert changes(Presence(gap_s=1.0), *((i / 10, [A]) for i in range(100))) == [(0.0, A)]


def test_the_same_tag_after_the_gap_is_a_new_read():
    said = [(0.0, [A]), (0.75, [A]), (1.5, [A]), (2.5, [A])]
    assert changes(Presence(gap_s=1.0), *said) == [(0.0, A), (2.5, A)]


def test_a_stack_said_in_turns_does_not_flap():
    said = [(i / 8, [(A, B, C)[i % 3]]) for i in range(300)]
    assert changes(Presence(gap_s=1.0), *said) == [(0.0, A), (0.125, B), (0.25, C)]
    assert changes(Presence(gap_s=1.0, repeats=True), *said) == [(0.0, A), (0.375, B), (0.375, C)]


def test_silence_of_a_reader_that_repeats_means_gone():
    presence = Presence(gap_s=1.0, repeats=True)
    assert changes(presence, (0.0, [A]), (0.5, [B]), (0.6, [A])) == [(0.0, A), (0.6, B)]
    assert presence.deadline == 1.5
    assert changes(presence, (1.4, [])) == []
    assert changes(presence, (1.5, [])) == [(1.5, f"-{B}")]
    assert presence.deadline == 1.6
    assert changes(presence, (9.0, [])) == [(9.0, f"-{A}")]
    assert presence.deadline is None


def test_silence_of_another_reader_says_nothing():
    presence = Presence(gap_s=1.0)
    presence.heard([A], 0.0)
    assert presence.deadline is None
    assert presence.heard([], 60.0) == ()


def test_a_card_that_is_exchanged_quickly_leaves_before_the_other_is_laid():
    said = [(i / 8, [A if i < 8 else B]) for i in range(20)]
    assert changes(Presence(gap_s=1.0, repeats=True), *said) == [(0.0, A), (1.875, f"-{A}"), (1.875, B)]
    assert changes(Presence(gap_s=1.0), *said) == [(0.0, A), (1.0, B)]  # which cannot tell that one leaves


def test_a_card_that_comes_and_goes_while_another_is_in_doubt_is_not_lost():
    presence = Presence(gap_s=1.0, repeats=True)
    said = [(0.0, [A]), (0.5, [B]), (1.0, []), (1.5, [])]
    assert changes(presence, *said) == [(0.0, A), (1.0, f"-{A}"), (1.0, B), (1.5, f"-{B}")]


def test_two_cards_of_which_both_are_silent_for_long_were_laid_and_left_in_their_order():
    presence = Presence(gap_s=1.0, repeats=True)
    said = [(0.0, [A]), (0.5, [B]), (9.0, [])]
    assert changes(presence, *said) == [(0.0, A), (9.0, f"-{A}"), (9.0, B), (9.0, f"-{B}")]


def test_a_card_that_came_before_the_reader_was_lost_waits_until_it_is_known_what_lies_there():
    presence = Presence(gap_s=1.0, repeats=True)
    assert changes(presence, (0.0, [A]), (0.5, [B])) == [(0.0, A)]
    presence.reopened(30.0)
    assert changes(presence, (30.5, [B]), (31.0, [])) == [(31.0, f"-{A}"), (31.0, B)]
    assert presence.heard([], 31.5) == (Change(B, laid=False),)


def test_facts_name_the_card_the_seat_and_the_reader():
    decoder = TagDecoder(Role("reader-2", cards={A: card("QS")}, seat=2))
    assert decoder.decode(b"04a1b2c3d4e580\r\nDEADBEEF\r\n", 1.0) == (
        Tag(seat=2, card=card("QS"), uid=A, source="reader-2"),
        Tag(seat=2, uid=B, source="reader-2"),
    )


def test_a_shared_reader_has_no_seat():
    decoder = TagDecoder(Role("tray", cards={A: card("QS")}))
    assert decoder.decode(A.encode() + b"\r", 1.0) == (Tag(card=card("QS"), uid=A, source="tray"),)


def test_a_card_that_is_taken_away_and_laid_again_between_two_looks_leaves_first():
    decoder = TagDecoder(Role("reader-0", cards={A: card("QS")}, seat=0), repeats=True, gap_s=1.0)
    tag = Tag(seat=0, card=card("QS"), uid=A, source="reader-0")
    untag = Untag(seat=0, card=card("QS"), uid=A, source="reader-0")
    assert decoder.decode(A.encode() + b"\r", 1.0) == (tag,)
    assert decoder.deadline == 2.0
    assert decoder.decode(A.encode() + b"\r", 5.0) == (untag, tag)
    assert decoder.decode(b"", 6.0) == (untag,)


def test_a_tag_that_still_lies_when_the_reader_is_back_is_not_laid_again():
    decoder = TagDecoder(Role("reader-0", cards={}, seat=0), repeats=True, gap_s=1.0)
    assert len(decoder.decode(A.encode() + b"\r04A1", 1.0)) == 1
    decoder.reopened(31.0)
    assert decoder.decode(A.encode() + b"\r", 31.5) == ()
    assert decoder.decode(b"", 32.5) == (Untag(seat=0, uid=A, source="reader-0"),)


# --- numbers, antennas, and what is no tag ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [("0078762192", "04B1D0D0"), ("3735928559", B), ("78762192", "04B1D0D0"), ("1304128280822144", "04A21906EB8180")],
)
def test_a_decimal_number_is_the_uid_that_it_says(text, read):
    assert decimal_uid(text) == read
    assert int(read, 16) == int(text)


@pytest.mark.parametrize("text", ["", "0", "-5", "12AB", "٣", "9" * 30])
def test_what_is_no_decimal_number_of_a_tag_is_refused(text):
    with pytest.raises(ValueError, match="is not a tag's number"):
        decimal_uid(text)


def test_a_reader_may_say_its_tags_as_decimal_numbers():
    lines = Lines(decimal=True)
    assert lines.feed(b"0003735928559\r\nDEADBEEF\r\n", 1.0) == (Read(B),)
    assert lines.dropped == 1


@pytest.mark.parametrize(
    "line",
    [
        "2:DEADBEEF",
        "2 DEADBEEF",
        "A2:DEADBEEF",
        "a2 de ad be ef",
        "02,DEADBEEF",
        "Antenna 2: UID: DEADBEEF",
        "2;DEADBEEF",
    ],
)
def test_a_multiplexer_says_its_antenna_before_each_tag(line):
    assert Lines(antennas=["1", "2"]).feed(line.encode() + b"\r", 1.0) == (Read(B, "2"),)


def test_an_antenna_may_be_named_as_it_is_said():
    lines = Lines(antennas=["A1", "B1"])
    assert lines.feed(b"b1:DEADBEEF\rA01 DEADBEEF\r", 1.0) == (Read(B, "B1"), Read(B, "A1"))


def test_what_comes_from_no_antenna_that_is_known_does_not_count():
    lines = Lines(antennas=["1", "2"])
    assert lines.feed(b"3:DEADBEEF\rDEADBEEF\r12:DEADBEEF\r04A1B2C3\r", 1.0) == ()
    assert (lines.dropped, lines.unknown) == (4, {"3", "12"})


def test_the_antennas_of_a_multiplexer_mean_each_its_own_in_the_order_in_which_they_speak(caplog):
    cards = {A: card("QS"), B: card("2C")}
    roles = {"2": Role("mux", cards=cards, seat=1, means="hand"), "1": Role("mux", cards=cards, seat=0)}
    decoder = TagDecoder(roles, repeats=True)
    assert decoder.decode(f"1:{A}\r2:{A}\r2:{B}\r3:{B}\r1:{A}\r3:{B}\r".encode(), 1.0) == (
        Tag(seat=0, card=card("QS"), uid=A, source="mux"),
        Holds(seat=1, cards=(card("QS"),), source="mux"),
        Holds(seat=1, cards=(card("2C"),), source="mux"),
    )
    assert decoder.decode(b"", 2.0) == (Untag(seat=0, card=card("QS"), uid=A, source="mux"),)
    assert caplog.messages == ["mux: antenna 3 is not in the table's file: what it reads does not count"]


NOISE = b"\xf8\x1e\x86\x98\x06\x18\r"


def test_what_says_no_tags_for_long_is_told_once_and_again_when_it_is_understood():
    decoder = TagDecoder(Role("reader-2", cards={}, seat=2), doubt="is its baud rate 9600?")
    told = [decoder.decode(NOISE, 1.0 + i) for i in range(3 * STRANGE)]
    lost = Lost(device="reader-2", reason=f"{NO_TAGS}: is its baud rate 9600?")
    assert told == [()] * (STRANGE - 1) + [(lost,)] + [()] * 2 * STRANGE
    tag = Tag(seat=2, uid=B, source="reader-2")
    assert decoder.decode(b"DEADBEEF\r", 60.0) == (Found(device="reader-2"), tag)


@pytest.mark.parametrize("noise", [b"\xf8\x86" * LONGEST_LINE, b"\xf8\x86"], ids=["a stream", "drops"])
def test_noise_that_never_ends_a_line_is_told_too(noise):
    decoder = TagDecoder(Role("reader-2", cards={}, seat=2))
    told = [fact for i in range(20) for fact in decoder.decode(noise, 2.0 * i)]
    assert told == [Lost(device="reader-2", reason=NO_TAGS)]


def test_a_reader_that_greets_with_words_or_stutters_is_understood():
    decoder = TagDecoder(Role("reader-2", cards={}, seat=2))
    told = [decoder.decode(b"RFID reader\r\nv1.2\r\n(c)\r\nready\r\nDEADBEEF\r\n04A1B2\r\n" * 3, 1.0)]
    assert told == [(Tag(seat=2, uid=B, source="reader-2"),)]


def test_who_finds_the_reader_again_has_said_that_it_is_there():
    decoder = TagDecoder(Role("reader-2", cards={}, seat=2))
    assert len(decoder.decode(NOISE * STRANGE, 1.0)) == 1
    decoder.reopened(2.0)
    assert decoder.decode(b"DEADBEEF\r", 3.0) == (Tag(seat=2, uid=B, source="reader-2"),)


def test_a_thousand_lines_a_second_change_nothing():
    decoder = TagDecoder(Role("reader-2", cards={}, seat=2), repeats=True)
    told = [fact for i in range(3000) for fact in decoder.decode(b"DEADBEEF\r\n", i / 1000)]
    assert told == [Tag(seat=2, uid=B, source="reader-2")]
    assert decoder.decode(b"", 3.999) == (Untag(seat=2, uid=B, source="reader-2"),)
