from tablepi.display.boxes import Box, clean, paragraph, shorten, wrap


def ten_a_letter(text: str, px: int, bold: bool) -> int:
    return 10 * len(text)


WAY = {"bold": False, "measure": ten_a_letter}


def test_a_short_text_stays_and_a_long_one_ends_in_an_ellipsis():
    assert [shorten("Maria Antónia", w, 20, **WAY) for w in (130, 129, 70, 60, 10, 9)] == [
        "Maria Antónia", "Maria Antón…", "Maria…", "Maria…", "…", "",
    ]  # fmt: skip


def test_words_are_wrapped_and_a_word_too_wide_is_broken():
    assert wrap("take the card back", 80, 20, **WAY) == ["take the", "card", "back"]
    assert wrap("Wolfeschlegel is", 60, 20, **WAY) == ["Wolfes", "chlege", "l is"]


def test_a_paragraph_has_no_more_lines_than_asked_and_says_that_it_goes_on():
    text = "take the card back or play on"
    assert paragraph(text, 80, 20, most=9, **WAY) == ["take the", "card", "back or", "play on"]
    assert paragraph(text, 80, 20, most=2, **WAY) == ["take the", "card ba…"]
    assert paragraph(text, 80, 20, most=0, **WAY) == []


def test_what_a_font_cannot_draw_is_replaced_before_it_is_measured():
    assert clean("Zé\n\tdo  Rio\x00\ud800 🂡") == "Zé do Rio□□ □"
    assert clean("a\x1b[1mb\u202ec\u2066d\ufeff e\u200df") == "a□[1mb□c□d□ e\u200df"


def test_boxes_are_cut_without_losing_or_doubling_a_pixel():
    box = Box(10, 20, 101, 50)
    assert box.cut_left(30, 5) == (Box(10, 20, 30, 50), Box(45, 20, 66, 50))
    assert box.cut_bottom(999, 5) == (box, Box(10, 20, 101, 0))
    assert box.columns(3, 4) == [Box(10, 20, 31, 50), Box(45, 20, 31, 50), Box(80, 20, 31, 50)]
    assert [b.h for b in box.rows(3)] == [16, 17, 17]
    assert box.holds(10, 20)
    assert not box.holds(111, 20)
