"""Games go out as JSON Lines and come in again, whole or not at all."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from tablepi.errors import BadInput
from tablepi.facts import dumps, to_dict
from tablepi.journal import Journal, JournalFull, export_jsonl, import_jsonl, verify
from tests.strategies import any_game

MATCH = '{"fact":"match","rules":"hearts-cardems","players":["Rita","Ada","Bo","Cleo"]}'
PLAY = '{"fact":"play","seat":2,"card":"2C","at":4}'


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path) as journal:
        yield journal


@given(facts=any_game())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_any_game_comes_back_as_it_was_and_its_export_byte_for_byte(journal, noon, facts):
    match, *rest = facts
    played = journal.begin(match, wall=noon, mono=0.0)
    for fact in rest:
        journal.append(played, fact, mono=0.0)
    out = list(export_jsonl(journal, played))
    assert out == [dumps(to_dict(fact)) for fact in facts]
    imported = import_jsonl(journal, [line + "\n" for line in out], name="game.jsonl", wall=noon)
    assert list(journal.facts(imported)) == list(journal.facts(played)) == list(enumerate(facts, 1))
    assert "\n".join(export_jsonl(journal, imported)).encode() == "\n".join(out).encode()
    assert verify(journal) == ()


def test_an_import_goes_through_a_file_unharmed_by_signs_that_look_like_line_ends(journal, tmp_path, noon):
    first = import_jsonl(journal, [MATCH.replace("Rita", "Ri\u2028ta\x85"), PLAY], name="x", wall=noon)
    out = "".join(line + "\n" for line in export_jsonl(journal, first))
    assert len(out.splitlines()) == 4  # which is why an import must not split lines like this
    path = tmp_path / "out.jsonl"
    path.write_text(out, encoding="utf-8", newline="\n")
    with path.open(encoding="utf-8") as file:
        second = import_jsonl(journal, file, name="out.jsonl", wall=noon)
    assert "".join(line + "\n" for line in export_jsonl(journal, second)) == out


def test_an_imported_game_is_over_and_never_resumed(journal, begun, noon):
    playing = begun(journal)
    imported = import_jsonl(journal, [MATCH, PLAY], name="club.jsonl", wall=noon)
    assert (journal.unfinished(), journal.last()) == (playing, imported)
    assert [(entry.id, entry.state, entry.reason) for entry in journal.games()] == [
        (playing, "open", None),
        (imported, "over", "imported from club.jsonl"),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "f.jsonl: empty: a game begins with its match"),
        (["\n", " \n"], "f.jsonl: empty: a game begins with its match"),
        ([PLAY], f"f.jsonl, line 1: a game begins with its match, not play: {PLAY}"),
        ([MATCH, MATCH], f"f.jsonl, line 2: a second match: a file holds one game: {MATCH[:80]}"),
        ([MATCH, "", PLAY],
         "f.jsonl, line 2: blank: facts are counted by line; remove it and mend the n after it"),
        ([MATCH, PLAY, "{"],
         'f.jsonl, line 3: not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1): "{"'),
        ([MATCH, '{"fact":"play","seat":8,"card":"2C"}'],
         "f.jsonl, line 2: play: seat: 8 is not a seat: seats are numbered from 0"),
        ([MATCH, PLAY, '{"fact":"cleared"}', PLAY.replace(":4", ":3.5")], "f.jsonl, line 4: at falls from 4 to 3.5"),
    ],
    ids=["empty", "blank", "no match", "two matches", "a blank line", "no JSON", "no fact", "falling time"],
)  # fmt: skip
def test_a_bad_file_is_refused_by_line_and_nothing_of_it_is_kept(journal, noon, lines, message):
    with pytest.raises(BadInput) as refused:
        import_jsonl(journal, lines, name="f.jsonl", wall=noon)
    assert (str(refused.value), journal.games()) == (message, ())


def test_blank_lines_at_the_end_do_no_harm(journal, noon):
    game = import_jsonl(journal, [MATCH + "\n", PLAY + "\r\n", "\n"], name="f.jsonl", wall=noon)
    assert list(export_jsonl(journal, game)) == [MATCH, PLAY]


def test_a_disk_that_fills_during_an_import_keeps_nothing_of_it(journal, noon):
    (pages,) = journal._store.execute("PRAGMA page_count").fetchone()
    journal._store.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(JournalFull, match="free some space"):
        import_jsonl(journal, [MATCH, *[PLAY] * 1000], name="f.jsonl", wall=noon)
    assert (journal.games(), verify(journal)) == ((), ())
