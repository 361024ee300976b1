"""What is said of bids, exchanges, moons, time-outs and proofs, in English and both kinds of Portuguese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tablepi
from tablepi.language import words
from tablepi.state import Line
from tablepi.views.corrections import told_in_words
from tablepi.views.words import in_words, rule_in_words

from ..core.contract_lines import RULES
from ..script import NAMES
from .tables import BIDS, EXCHANGING, MOMENTS, SOMEONE, SPADES, SPADES_SCORED, bid, table_of

LANGUAGES = ("en", "pt-PT", "pt-BR")


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
                ["Ada aposta 3.", "Aposta Bo."],
            ),
        ),
        (
            MOMENTS["bid out of turn"],
            (
                ["Cleo bids 4 out of turn: it is Bo's turn to bid.", "Bo to bid."],
                ["Cleo aposta 4 fora de vez: é a vez de Bo apostar.", "Aposta Bo."],
                ["Cleo aposta 4 fora da vez: é a vez de Bo apostar.", "Aposta Bo."],
            ),
        ),
        (
            MOMENTS["bid a second time"],
            (
                ["Ada bids 4, but has bid 3 already: that stands.", "Bo to bid."],
                ["Ada aposta 4, mas já tinha apostado 3: é essa que vale.", "Aposta Bo."],
                ["Ada aposta 4, mas já tinha apostado 3: é essa que vale.", "Aposta Bo."],
            ),
        ),
        (
            MOMENTS["blind nil of a side that is not behind"],
            (
                ["Ada bids blind nil: that side is 0 points behind, 100 are needed.", "Bo to bid."],
                ["Ada aposta nulo cego: essa equipa tem 0 pontos de atraso, e são precisos 100.", "Aposta Bo."],
                ["Ada aposta nulo cego: esse time está 0 pontos atrás, e são necessários 100.", "Aposta Bo."],
            ),
        ),
        (
            MOMENTS["without a nil on a side"],
            (
                ["Cleo bids 3: one of that side must bid nil in each hand.", "Rita to bid."],
                ["Cleo aposta 3: em cada mão, alguém dessa equipa tem de apostar nulo.", "Aposta Rita."],
                ["Cleo aposta 3: em cada rodada, alguém desse time tem que apostar nulo.", "Aposta Rita."],
            ),
        ),
        (
            EXCHANGING + '{"fact":"exchange","seat":2,"count":3}',
            (
                ["Bo passes 3 cards: 2 must be passed.", "Rita to give cards."],
                ["Bo passa 3 cartas: têm de se passar 2.", "Dá cartas Rita."],
                ["Bo passa 3 cartas: têm de se passar 2.", "Dá cartas Rita."],
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
                ["Bo abre com 2♠ sem as espadas quebradas: só é legal se só tiver espadas.", "Joga Cleo."],
            ),
        ),
        (
            BIDS + "1:2C 2:AC 3:KC 0:QC 2:2S 3:3S 0:4S",
            (
                [
                    "Rita plays 4♠.",
                    "In trick 2 Bo's 2♠ was against the rules (spades led too early): no honest deal is left.",
                    "Ada to play.",
                ],
                [
                    "Rita joga 4♠.",
                    "Na vaza 2, Bo jogou 2♠ contra as regras (saída de espadas antes de abertas): já não há "
                    "distribuição honesta possível.",
                    "Joga Ada.",
                ],
                [
                    "Rita joga 4♠.",
                    "Na vaza 2, Bo jogou 2♠ contra as regras (espadas jogadas antes de quebradas): não resta nenhuma "
                    "distribuição honesta possível.",
                    "Joga Ada.",
                ],
            ),
        ),
        (
            SOMEONE,
            (
                [
                    "Rita plays 5♦.",
                    "Ada, Bo or Cleo has played against the rules: no honest deal is left, but nobody can tell who it "
                    "was.",
                    "Ada to play.",
                ],
                [
                    "Rita joga 5♦.",
                    "Ada, Bo ou Cleo jogou contra as regras: já não há distribuição honesta possível, mas não se sabe "
                    "quem foi.",
                    "Joga Ada.",
                ],
                [
                    "Rita joga 5♦.",
                    "Ada, Bo ou Cleo jogou contra as regras: não resta nenhuma distribuição honesta possível, mas não "
                    "dá para saber quem foi.",
                    "Joga Ada.",
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
                ["Ada saiu do jogo: alguém joga sempre a sua carta válida mais baixa, e fica em último lugar."],
                ["Ada saiu da partida: alguém joga sempre a menor carta válida dessa mão, e fica em último lugar."],
            ),
        ),
    ],
    ids=[
        "bid", "bid out of turn", "second bid", "blind nil", "suicide", "exchange", "spades led early",
        "spades led early, proved", "someone", "hand of spades", "moon", "time is up", "left",
    ],
)  # fmt: skip
def test_it_is_said_in_three_languages(script, said):
    assert tuple(told(script, language) for language in LANGUAGES) == said


def counted(rule: str, **more: object) -> Line:
    offence = {"n": 12, "trick": 3, "card": "9C", "rule": rule}
    return {"ruling": "proved", "n": 31, "hand": 1, "trick": 8, "seat": 1, "how": "counted", "offence": offence, **more}


def test_what_is_counted_out_says_that_no_honest_deal_is_left():
    english, portuguese = (words(language, tuple(NAMES)) for language in ("en", "pt-PT"))
    assert in_words(counted("follow-suit"), english) == (
        "In trick 3 Ada's 9♣ was against the rules (suit not followed): no honest deal is left."
    )
    assert in_words(counted("follow-suit", led="KH"), english) == (
        "In trick 3 Ada did not follow hearts with 9♣: no honest deal is left."
    )
    assert in_words(counted("follow-suit", led="KH", among=[7, 12]), portuguese) == (
        "Na vaza 3, Ada não serviu copas ao jogar 9♣: já não há distribuição honesta possível. "
        "Pode ter sido outra carta anterior do mesmo jogador."
    )


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
