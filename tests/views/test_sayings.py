"""What is said of bids, exchanges, moons, time-outs and proofs, in English and both kinds of Portuguese."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import tablepi
from tablepi.language import words
from tablepi.state import Line
from tablepi.views.corrections import told_in_words
from tablepi.views.words import in_words, rule_in_words

from ..core.contract_lines import RULES
from ..script import NAMES
from .tables import (
    BIDS,
    EXCHANGING,
    FIRST_TRICK,
    HAND,
    MOMENTS,
    PASSED,
    SOMEONE,
    SPADES,
    SPADES_SCORED,
    bid,
    game,
    table_of,
)

LANGUAGES = ("en", "pt-PT", "pt-BR")

# Trick 2 begins with hearts before they are broken, and then all hearts but some lie with others.
UNCOUNTED = game("hearts-cardems") + HAND + PASSED + FIRST_TRICK + "3:5H 0:6H 1:7H"


def told(script: str, language: str) -> list[str]:
    """What is said of the last fact of a script."""
    table = table_of(script)
    return list(told_in_words(table, words(language, table.state.players)))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            SPADES + bid(1, 3),
            (
                ["Ada bids 3.", "Bo to bid."],
                ["Ada aposta 3.", "Aposta Bo."],
                ["Ada aposta 3.", "É a vez de Bo apostar."],
            ),
        ),
        (
            MOMENTS["bid out of turn"],
            (
                ["Cleo bids 4 out of turn: it was Bo's turn to bid.", "Bo to bid."],
                ["Cleo aposta 4 fora de vez: era a vez de Bo apostar.", "Aposta Bo."],
                ["Cleo aposta 4 fora da vez: era a vez de Bo apostar.", "É a vez de Bo apostar."],
            ),
        ),
        (
            MOMENTS["bid a second time"],
            (
                ["Ada bids 4, but has bid 3 already: that stands.", "Bo to bid."],
                ["Ada aposta 4, mas já tinha apostado 3: é essa que vale.", "Aposta Bo."],
                ["Ada aposta 4, mas já tinha apostado 3: é essa que vale.", "É a vez de Bo apostar."],
            ),
        ),
        (
            MOMENTS["blind nil of a side that is not behind"],
            (
                ["Ada bids blind nil: that side is 0 points behind, 100 are needed.", "Bo to bid."],
                ["Ada aposta nulo cego: essa equipa tem 0 pontos de atraso, e são precisos 100.", "Aposta Bo."],
                [
                    "Ada aposta nulo cego: esse time está 0 pontos atrás, e são necessários 100.",
                    "É a vez de Bo apostar.",
                ],
            ),
        ),
        (
            MOMENTS["without a nil on a side"],
            (
                ["Cleo bids 3: one of that side must bid nil in each hand.", "Rita to bid."],
                ["Cleo aposta 3: em cada mão, alguém dessa equipa tem de apostar nulo.", "Aposta Rita."],
                ["Cleo aposta 3: em cada rodada, alguém desse time tem que apostar nulo.", "É a vez de Rita apostar."],
            ),
        ),
        (
            EXCHANGING + '{"fact":"exchange","seat":2,"count":3}',
            (
                ["Bo passes 3 cards: 2 must be passed.", "Rita to give cards."],
                ["Bo passa 3 cartas: têm de se passar 2.", "Dá cartas Rita."],
                ["Bo passa 3 cartas: é preciso passar 2.", "É a vez de Rita dar cartas."],
            ),
        ),
        (
            BIDS + "1:2C 2:AC 3:KC 0:QC 2:2S",
            (
                [
                    "Bo leads 2♠, spades unbroken: legal only with nothing but spades in hand.",
                    "Cleo to play.",
                ],
                ["Bo sai de 2♠ com as espadas fechadas: só é legal se só tiver espadas.", "Joga Cleo."],
                ["Bo abre com 2♠ sem as espadas quebradas: só é legal se só tiver espadas.", "É a vez de Cleo."],
            ),
        ),
        (
            BIDS + "1:2C 2:AC 3:KC 0:QC 2:2S 3:3S 0:4S",
            (
                [
                    "Rita plays 4♠.",
                    "In trick 2 Bo led 2♠, spades unbroken: legal only with nothing but spades in hand. "
                    "Since Rita's 4♠ in trick 2 the cards still unseen leave Bo no such hand.",
                    "Ada to play.",
                ],
                [
                    "Rita joga 4♠.",
                    "Na vaza 2, Bo saiu de 2♠ com as espadas fechadas: só é legal com uma mão só de espadas. "
                    "Desde que Rita jogou 4♠ na vaza 2, as cartas por ver mostram que Bo não podia ter uma mão assim.",
                    "Joga Ada.",
                ],
                [
                    "Rita joga 4♠.",
                    "Na vaza 2, Bo abriu com 2♠ sem as espadas quebradas: só é legal com uma mão só de espadas. "
                    "Desde que Rita jogou 4♠ na vaza 2, as cartas que ainda não apareceram mostram que Bo não podia "
                    "ter uma mão assim.",
                    "É a vez de Ada.",
                ],
            ),
        ),
        (
            SOMEONE,
            (
                [
                    "Rita plays 5♦.",
                    "Ada, Bo or Cleo has played against the rules in trick 1 (suit not followed). The cards still "
                    "unseen show that they cannot all have played legally, but not which of them did not.",
                    "Ada to play.",
                ],
                [
                    "Rita joga 5♦.",
                    "Ada, Bo ou Cleo jogou contra as regras na vaza 1 (naipe não servido). As cartas por ver mostram "
                    "que não podem ter todos jogado dentro das regras, mas não dizem quem falhou.",
                    "Joga Ada.",
                ],
                [
                    "Rita joga 5♦.",
                    "Ada, Bo ou Cleo jogou contra as regras na vaza 1 (naipe não seguido). As cartas que ainda não "
                    "apareceram mostram que nem todos podem ter jogado dentro das regras, mas não dizem quem errou.",
                    "É a vez de Ada.",
                ],
            ),
        ),
        (
            UNCOUNTED,
            (
                [
                    "Ada plays 7♥.",
                    "Cleo's 5♥ in trick 2 looks wrong (hearts led too early), but nobody counted the cards that were "
                    "passed: only a card of that hand can prove it.",
                    "Bo to play.",
                ],
                [
                    "Ada joga 7♥.",
                    "A jogada de Cleo na vaza 2, 5♥, parece errada (saída de copas antes de abertas), mas ninguém "
                    "contou as cartas passadas: só uma carta dessa mão o pode provar.",
                    "Joga Bo.",
                ],
                [
                    "Ada joga 7♥.",
                    "A jogada de Cleo na vaza 2, 5♥, parece errada (copas jogadas antes de quebradas), mas ninguém "
                    "contou as cartas passadas: só uma carta dessa mão pode provar isso.",
                    "É a vez de Bo.",
                ],
            ),
        ),
        (
            SPADES_SCORED,
            (
                [
                    "Hand 1: no offence stands.",
                    "Hand 1: Rita & Bo: bid 5, tricks 7: −48 (total −48, bags 2); "
                    "Ada & Cleo: bid 7, tricks 6: −70 (total −70, bags 0).",
                ],
                [
                    "Mão 1: nenhuma infração.",
                    "Mão 1: Rita & Bo: aposta 5, vazas 7: −48 (total −48, sacos 2); "
                    "Ada & Cleo: aposta 7, vazas 6: −70 (total −70, sacos 0).",
                ],
                [
                    "Rodada 1: nenhuma infração.",
                    "Rodada 1: Rita & Bo: aposta 5, vazas 7: −48 (total −48, sacos 2); "
                    "Ada & Cleo: aposta 7, vazas 6: −70 (total −70, sacos 0).",
                ],
            ),
        ),
        (
            MOMENTS["moon chosen"],
            (
                [
                    "Hand 1: Rita 0, Ada 0, Bo −26, Cleo 0. "
                    "Bo has shot the moon: the points come off that total."
                ],
                ["Mão 1: Rita 0, Ada 0, Bo −26, Cleo 0. Bo apanhou os pontos todos: tiram-se a esse total."],
                [
                    "Rodada 1: Rita 0, Ada 0, Bo −26, Cleo 0. "
                    "Bo acertou a lua: os pontos são descontados desse total."
                ],
            ),
        ),
        (
            MOMENTS["time is up"],
            (
                ["Ada's time is up: the lowest legal card is to be laid, rather one without points."],
                ["Acabou o tempo de Ada: joga-se a carta válida mais baixa, de preferência sem pontos."],
                ["Acabou o tempo de Ada: joga-se a menor carta válida, de preferência sem pontos."],
            ),
        ),
        (
            MOMENTS["a player has left"],
            (
                ["Ada has left: somebody lays the lowest legal card each time, and the place is the last."],
                ["Ada saiu do jogo: alguém joga sempre a sua carta válida mais baixa; Ada fica em último lugar."],
                ["Ada saiu da partida: alguém joga sempre a sua menor carta válida; Ada fica em último lugar."],
            ),
        ),
    ],
    ids=[
        "bid", "bid out of turn", "second bid", "blind nil", "suicide", "exchange", "spades led early",
        "spades led early, proved", "someone", "pass not counted", "hand of spades", "moon", "time is up", "left",
    ],
)  # fmt: skip
def test_it_is_said_in_three_languages(script, said):
    assert tuple(told(script, language) for language in LANGUAGES) == said


def counted(rule: str, **more: object) -> Line:
    offence = {"n": 12, "trick": 3, "card": "9C", "rule": rule}
    return {"ruling": "proved", "n": 31, "hand": 1, "trick": 8, "seat": 1, "how": "counted", "offence": offence, **more}


UPON = {"upon": {"trick": 8, "seat": 3, "card": "7D"}}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            counted("follow-suit", led="KH", **UPON),
            (
                "In trick 3 Ada did not follow hearts with 9♣: legal only without hearts in hand. "
                "Since Cleo's 7♦ in trick 8 the cards still unseen leave Ada no such hand.",
                "Na vaza 3, Ada não serviu copas ao jogar 9♣: só é legal sem copas na mão. "
                "Desde que Cleo jogou 7♦ na vaza 8, as cartas por ver mostram que Ada não podia ter uma mão assim.",
                "Na vaza 3, Ada não seguiu copas ao jogar 9♣: só é legal sem copas na mão. "
                "Desde que Cleo jogou 7♦ na vaza 8, as cartas que ainda não apareceram mostram que Ada não podia ter "
                "uma mão assim.",
            ),
        ),
        (
            counted("follow-suit", among=[7, 12]),
            (
                "In trick 3 Ada did not follow suit with 9♣: legal only without that suit in hand. "
                "In trick 8 the cards still unseen leave Ada no such hand. "
                "It may have been an earlier card of the same player.",
                "Na vaza 3, Ada não serviu o naipe ao jogar 9♣: só é legal sem esse naipe na mão. "
                "Na vaza 8, as cartas por ver mostram que Ada não podia ter uma mão assim. "
                "Pode ter sido outra carta anterior do mesmo jogador.",
                "Na vaza 3, Ada não seguiu o naipe ao jogar 9♣: só é legal sem esse naipe na mão. "
                "Na vaza 8, as cartas que ainda não apareceram mostram que Ada não podia ter uma mão assim. "
                "Pode ter sido outra carta anterior do mesmo jogador.",
            ),
        ),
        (
            {"ruling": "breach", "n": 9, "hand": 1, "trick": 2, "seat": 1, "card": "5H", "how": "counted",
             "rules": ["hearts-not-broken"]},
            (
                "Ada leads 5♥, hearts unbroken: legal only with nothing but hearts in hand. "
                "The cards still unseen leave Ada no such hand, so it is illegal.",
                "Ada sai de 5♥ com as copas fechadas: só é legal se só tiver copas. "
                "As cartas por ver mostram que Ada não pode ter uma mão assim: é ilegal.",
                "Ada abre com 5♥ sem as copas quebradas: só é legal se só tiver copas. "
                "As cartas que ainda não apareceram mostram que Ada não pode ter uma mão assim: é ilegal.",
            ),
        ),
        (
            {"ruling": "breach", "n": 9, "hand": 1, "trick": 2, "seat": 1, "card": "5H", "rules": ["follow-suit"]},
            (
                "Ada plays 5♥ against the rules (suit not followed).",
                "Ada joga 5♥ contra as regras (naipe não servido).",
                "Ada joga 5♥ contra as regras (naipe não seguido).",
            ),
        ),
        (
            {"ruling": "someone", "n": 33, "hand": 1, "seats": [1], "tricks": [2, 3, 5],
             "rules": ["follow-suit", "hearts-not-broken"]},
            (
                "Ada has played against the rules in trick 2, 3 or 5 (suit not followed, hearts led too early). "
                "The cards still unseen show that not all of those plays were legal, but not which.",
                "Ada jogou contra as regras na vaza 2, 3 ou 5 (naipe não servido, saída de copas antes de abertas). "
                "As cartas por ver mostram que nem todas essas jogadas foram legais, mas não dizem qual.",
                "Ada jogou contra as regras na vaza 2, 3 ou 5 (naipe não seguido, copas jogadas antes de quebradas). "
                "As cartas que ainda não apareceram mostram que nem todas essas jogadas foram legais, mas não "
                "dizem qual.",
            ),
        ),
    ],
    ids=["proved", "proved, suit not known", "breach", "breach that is settled later", "someone alone"],
)  # fmt: skip
def test_what_is_counted_out_says_what_was_done_and_from_which_hands_alone_it_is_legal(line, said):
    assert tuple(in_words(line, words(language, tuple(NAMES))) for language in LANGUAGES) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_can_be_counted_out_says_which_hands_alone_make_it_legal(language):
    rules = {*RULES} & {
        "follow-suit", "first-trick-points", "hearts-not-broken", "spades-not-broken", "first-trick-spades",
        "lowest-card",
    }  # fmt: skip
    told = {in_words(counted(rule, **UPON), words(language, tuple(NAMES))) for rule in rules}
    assert len(told) == len(rules) == 6
    assert [text for text in told if "9♣" not in text or "7♦" not in text or "(" in text] == []


def test_where_tricks_are_private_someone_is_told_without_them():
    veiled = replace(words("en", tuple(NAMES)), veiled=True)
    line = {"ruling": "someone", "n": 33, "hand": 1, "seats": [1, 2], "tricks": [2], "rules": ["follow-suit"]}
    assert in_words(line, veiled).startswith("Ada or Bo has played against the rules. ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_that_is_not_the_lowest_is_proved_with_both_plays(language):
    offence = {"n": 12, "trick": 3, "card": "9C", "rule": "lowest-card"}
    line = {
        "ruling": "proved", "n": 31, "hand": 1, "trick": 8, "seat": 1, "how": "shown", "offence": offence,
        "shown": "4C",
    }  # fmt: skip
    text = in_words(line, words(language, tuple(NAMES)))
    assert {"9♣", "4♣", "Ada"} <= set(re.findall(r"9♣|4♣|Ada", text))
    assert {"3", "8"} <= set(re.findall(r"\b[38]\b", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_the_contract_has_a_name_of_its_own(language):
    spoken = words(language, ())
    assert {rule for rule in RULES if rule_in_words(rule, spoken) == rule} == set()
    assert len({rule_in_words(rule, spoken) for rule in RULES}) == len(RULES)


def test_every_reason_for_which_a_fact_does_not_count_has_words():
    core = [
        Path(tablepi.__file__).parent / f"{name}.py" for name in ("match", "auction", "absence", "scoring", "passing")
    ]
    source = "".join(path.read_text(encoding="utf-8") for path in core)
    reasons = set(re.findall(r'(?:fact, |return |else |or )"([a-z]+(?:-[a-z]+)+)"', source))
    assert {"not-asked", "no-exchange", "not-awaited"} <= reasons
    wordless = {reason for reason in reasons if reason in in_words(ignored(reason), words("pt-PT", ()))}
    assert wordless == set()


def ignored(reason: str) -> Line:
    return {"ruling": "ignored", "n": 1, "hand": 1, "trick": None, "seat": 1, "rules": [], "reason": reason}


def test_a_script_of_all_that_is_told_leaves_no_part_of_a_sentence_open():
    for name, script in MOMENTS.items():
        for language in LANGUAGES:
            said = told(script, language) if script else []
            assert [text for text in said if re.search(r"[{}]|None|\bnone\b", text)] == [], name
