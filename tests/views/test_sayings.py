"""What is said of bids, exchanges, moons, time-outs and proofs, in English and both kinds of Portuguese."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import tablepi
from tablepi.language import words
from tablepi.state import Line
from tablepi.table import step, undo
from tablepi.views.corrections import told_in_words
from tablepi.views.words import in_words, rule_in_words

from ..core.contract_lines import RULES
from ..script import NAMES
from ..test_words import catalogue
from .tables import (
    BIDS,
    EXCHANGING,
    FIRST_TRICK,
    HAND,
    MOMENTS,
    OPENING_HAND,
    PASSED,
    REVOKED,
    SOMEONE,
    SPADES,
    SPADES_SCORED,
    TOURNAMENT,
    bid,
    game,
    table_of,
)

LANGUAGES = ("en", "pt-PT", "pt-BR")
STANDS, VALE = "The bid stands until it is corrected.", "A aposta vale até ser corrigida."

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
                ["Ada aposta 3.", "É a vez de Bo apostar."],
                ["Ada aposta 3.", "É a vez de Bo apostar."],
            ),
        ),
        (
            MOMENTS["bid out of turn"],
            (
                [f"Cleo bids 4 out of turn: it was Bo's turn to bid. {STANDS}", "Bo to bid."],
                [f"Cleo aposta 4 fora de vez: era a vez de Bo apostar. {VALE}", "É a vez de Bo apostar."],
                [f"Cleo aposta 4 fora da vez: era a vez de Bo apostar. {VALE}", "É a vez de Bo apostar."],
            ),
        ),
        (
            MOMENTS["bid a second time"],
            (
                ["Ada bids 4, but has bid 3 already: that stands.", "Bo to bid."],
                ["Ada aposta 4, mas já tinha apostado 3: é essa que vale.", "É a vez de Bo apostar."],
                ["Ada aposta 4, mas já tinha apostado 3: é essa que vale.", "É a vez de Bo apostar."],
            ),
        ),
        (
            MOMENTS["blind nil of a side that is not behind"],
            (
                [f"Ada bids blind nil: that side is 0 points behind, 100 are needed. {STANDS}", "Bo to bid."],
                [
                    f"Ada aposta nulo cego: essa equipa tem 0 pontos de atraso, e são precisos 100. {VALE}",
                    "É a vez de Bo apostar.",
                ],
                [
                    f"Ada aposta nulo cego: esse time está 0 pontos atrás, e são necessários 100. {VALE}",
                    "É a vez de Bo apostar.",
                ],
            ),
        ),
        (
            MOMENTS["without a nil on a side"],
            (
                [f"Cleo bids 3: one of that side must bid nil in each hand. {STANDS}", "Rita to bid."],
                [
                    f"Cleo aposta 3: em cada mão, alguém dessa equipa tem de apostar nulo. {VALE}",
                    "É a vez de Rita apostar.",
                ],
                [
                    f"Cleo aposta 3: em cada rodada, alguém desse time tem que apostar nulo. {VALE}",
                    "É a vez de Rita apostar.",
                ],
            ),
        ),
        (
            EXCHANGING + '{"fact":"exchange","seat":2,"count":3}',
            (
                ["Bo passes 3 cards: 2 must be passed.", "Rita to give cards."],
                ["Bo passa 3 cartas: têm de se passar 2.", "É a vez de Rita dar cartas."],
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
                ["Bo sai de 2♠ sem as espadas quebradas: só é legal se só tiver espadas.", "É a vez de Cleo."],
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
                    "Na vaza 2, Bo saiu de 2♠ sem as espadas quebradas: só é legal com uma mão só de espadas. "
                    "Desde que Rita jogou 4♠ na vaza 2, as cartas por ver mostram que Bo não podia ter uma mão assim.",
                    "É a vez de Ada.",
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
                    "É a vez de Ada.",
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
                    "A jogada de Cleo na vaza 2, 5♥, parece errada (saída de copas antes de quebradas), mas ninguém "
                    "contou as cartas passadas: só uma carta dessa mão o pode provar.",
                    "É a vez de Bo.",
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
                "Ada sai de 5♥ sem as copas quebradas: só é legal se só tiver copas. "
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
                "Ada jogou contra as regras na vaza 2, 3 ou 5 (naipe não servido, saída de copas antes de quebradas). "
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


BIDS_UNDONE = {
    "a bid that was a breach": SPADES + bid(1, "blind-nil") + '{"fact":"correct","n":3,"drop":true,"reason":"undo"} ',
    "a wrong number of cards passed": game("hearts-cardems")
    + HAND
    + '{"fact":"pass","seat":1,"count":2} {"fact":"correct","n":3,"drop":true,"reason":"undo"} ',
}


@pytest.mark.parametrize("what", BIDS_UNDONE)
def test_what_has_no_trick_is_told_without_one(what):
    endings = (
        "That is no longer held against Ada.", "Isso já não se aponta a Ada.", "Isso não pesa mais contra Ada."
    )  # fmt: skip
    for language, ending in zip(LANGUAGES, endings, strict=True):
        assert [text for text in told(BIDS_UNDONE[what], language) if text.endswith(ending)] != []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", MOMENTS)
def test_whatever_is_undone_leaves_no_part_of_a_sentence_open(name, language):
    table = table_of(MOMENTS[name]) if MOMENTS[name] else None
    while table is not None and (back := undo(table)) is not None and len(table.log) < 40:
        table = step(table, back)
        said = [*told_in_words(table, words(language, table.state.players))]
        assert [text for text in said if re.search(r"[{}]|None|\bnone\b", text)] == []


def test_a_trick_that_takes_points_off_has_one_sign():
    script = game("hearts-omnibus") + HAND + PASSED + FIRST_TRICK + "3:5D 0:JD 1:2D 2:3D"
    assert tuple(told(script, language)[1] for language in LANGUAGES) == (
        "Rita takes trick 2: −10.", "Rita faz a vaza 2: −10.", "Rita faz a vaza 2: −10.",
    )  # fmt: skip
    assert told(game("hearts-cardems") + HAND + PASSED + FIRST_TRICK + "3:5D 0:6D 1:2H 2:3D", "en")[-2] == (
        "Rita takes trick 2: +1."
    )


LEFT = game("hearts-tournament") + HAND + PASSED + '0:2C {"fact":"leave","seat":1} '


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            LEFT + "1:3C",
            ("Ada has left: 3♣ is played.", "Ada saiu do jogo: joga-se 3♣.", "Ada saiu da partida: joga-se 3♣."),
        ),
        (
            LEFT + "1:5C",
            (
                "Ada has left, 5♣ is played: legal only without a lower legal card in hand.",
                "Ada saiu do jogo, joga-se 5♣: só é legal sem carta válida mais baixa na mão.",
                "Ada saiu da partida, joga-se 5♣: só é legal sem carta válida menor na mão.",
            ),
        ),
        (
            LEFT + "1:3C 2:4C 3:5C 3:5D 0:6D 1:2S",
            (
                "Ada (has left) plays 2♠: legal only without diamonds in hand.",
                "Ada (saiu) joga 2♠: só é legal sem ouros na mão.",
                "Ada (saiu) joga 2♠: só é legal sem ouros na mão.",
            ),
        ),
        (
            LEFT + '{"fact":"holds","seat":1,"cards":"3C"} 1:5C',
            (
                "Ada has left, 5♣ is played, but 3♣ is in hand: the lowest legal card is due.",
                "Ada saiu do jogo, joga-se 5♣, mas tem 3♣: devia ser a carta válida mais baixa.",
                "Ada saiu da partida, joga-se 5♣, mas tem 3♣: devia ser a menor carta válida.",
            ),
        ),
        (
            TOURNAMENT + '0:2C {"fact":"timeout","seat":1} 1:5C',
            (
                "Ada's time is up, 5♣ is played: legal only without a lower legal card in hand.",
                "Acabou o tempo de Ada, joga-se 5♣: só é legal sem carta válida mais baixa na mão.",
                "Acabou o tempo de Ada, joga-se 5♣: só é legal sem carta válida menor na mão.",
            ),
        ),
    ],
    ids=["certain", "the lowest", "another suit", "not the lowest", "only late"],
)
def test_a_card_laid_for_a_player_who_has_left_says_so(script, said):
    assert tuple(told(script, language)[0] for language in LANGUAGES) == said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("how", ["shown", "counted"])
def test_a_proof_about_a_player_who_has_left_speaks_of_no_time(language, how):
    line = {**counted("lowest-card", shown="4C", **UPON), "how": how}
    texts = [in_words({**line, "left": left}, words(language, tuple(NAMES))) for left in (False, True)]
    assert [bool(re.search("time up|tempo", text)) for text in texts] == [True, False]
    assert texts[1].count("Ada") == texts[0].count("Ada")


TWO_LEAVE = '{"fact":"leave","seat":1} {"fact":"leave","seat":2} '


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            TOURNAMENT + "0:2C " + TWO_LEAVE + '{"fact":"leave","seat":0}',
            (
                "The match is over: Cleo first. Places, with totals: 1. Cleo (0); 2. Rita, who has left (0); 3. Bo, "
                "who has left (0); 4. Ada, who has left (0). Hand 1 was not finished and is not scored.",
                "O jogo acabou: em primeiro, Cleo. Classificação, com totais: 1.º Cleo (0); 2.º Rita, que saiu do "
                "jogo (0); 3.º Bo, que saiu do jogo (0); 4.º Ada, que saiu do jogo (0). A mão 1 não chegou ao fim e "
                "não conta.",
                "A partida acabou: em primeiro, Cleo. Classificação, com totais: 1º Cleo (0); 2º Rita, que saiu da "
                "partida (0); 3º Bo, que saiu da partida (0); 4º Ada, que saiu da partida (0). A rodada 1 não chegou "
                "ao fim e não conta.",
            ),
        ),
        (
            game("hearts-omnibus")
            + HAND
            + PASSED
            + '{"fact":"end-hand","points":{"0":-10,"1":20,"2":6}} {"fact":"end-match"}',
            (
                "The match is over: Rita first. Places, with totals: 1. Rita (−10); 2. Cleo (0); 3. Bo (6); "
                "4. Ada (20).",
                "O jogo acabou: em primeiro, Rita. Classificação, com totais: 1.º Rita (−10); 2.º Cleo (0); "
                "3.º Bo (6); 4.º Ada (20).",
                "A partida acabou: em primeiro, Rita. Classificação, com totais: 1º Rita (−10); 2º Cleo (0); "
                "3º Bo (6); 4º Ada (20).",
            ),
        ),
        (
            game("hearts-classic")
            + HAND
            + PASSED
            + '{"fact":"end-hand","points":{"0":6,"1":14,"2":6}} {"fact":"end-match"}',
            (
                "The match is over: Cleo first. Places, with totals: 1. Cleo (0); 2. Rita and Bo (6); 4. Ada (14).",
                "O jogo acabou: em primeiro, Cleo. Classificação, com totais: 1.º Cleo (0); 2.º Rita e Bo (6); "
                "4.º Ada (14).",
                "A partida acabou: em primeiro, Cleo. Classificação, com totais: 1º Cleo (0); 2º Rita e Bo (6); "
                "4º Ada (14).",
            ),
        ),
        (
            MOMENTS["spades over"],
            (
                "The match is over: Rita & Bo first. Places, with totals: 1. Rita & Bo (−48); 2. Ada & Cleo (−70).",
                "O jogo acabou: em primeiro, Rita & Bo. Classificação, com totais: 1.º Rita & Bo (−48); "
                "2.º Ada & Cleo (−70).",
                "A partida acabou: em primeiro, Rita & Bo. Classificação, com totais: 1º Rita & Bo (−48); "
                "2º Ada & Cleo (−70).",
            ),
        ),
    ],
    ids=["three have left", "negative total", "shared place", "partners"],
)
def test_the_end_of_a_match_tells_all_places_with_their_totals(script, said):
    assert tuple(told(script, language)[-1] for language in LANGUAGES) == said


WHY = (
    "The contract of Ada & Cleo does not score (Cleo's revoke in trick 1); what is lost counts.",
    "O contrato de Ada & Cleo não pontua (renúncia de Cleo na vaza 1); o que se perde conta.",
    "O contrato de Ada & Cleo não pontua (renúncia de Cleo na vaza 1); o que se perde conta.",
)


def test_a_contract_that_a_revoke_keeps_from_scoring_says_why():
    for language, why in zip(LANGUAGES, WHY, strict=True):
        assert told(REVOKED, language)[-1].endswith(
            f"−100 (total −100, {'bags' if language == 'en' else 'sacos'} 0). {why}"
        )


def test_a_revoke_that_is_only_recorded_changes_no_score_and_gives_no_reason():
    script = REVOKED.replace('"options": {}', '"options": {"revoke": "record"}')
    assert script != REVOKED
    assert told(script, "en")[-1].endswith("(total −68, bags 2).")


def test_revokes_of_both_partners_are_told_together():
    script = SPADES + bid(1, 3) + bid(2, 4) + bid(3, 3) + bid(0, 5) + "1:2C 2:AC 3:2D 0:QC 2:KD 1:4S 3:3C 0:5D "
    script += '2:QD 3:4D 0:6D 1:7D {"fact":"end-hand","tricks":{"0":3,"1":3,"2":3,"3":4}}'
    assert told(script, "en")[-1].endswith(
        "The contract of Ada & Cleo does not score (Cleo's revoke in trick 1 and Ada's revoke in trick 2); "
        "what is lost counts."
    )


def test_a_revoke_that_only_the_score_knows_of_is_told_with_the_trick_of_its_card():
    """Bo's diamond proves the spade on the first trick against another rule; the club comes later."""
    script = game("spades", first_trick_spades="all") + HAND + bid(1, 3) + bid(2, 4) + bid(3, 3) + bid(0, 5)
    script += "1:2C 2:2S 3:3C 0:4C 2:KD 3:2D 0:3D 1:4D 2:5C 3:6C 0:7C 1:8C "
    script += '{"fact":"end-hand","tricks":{"0":5,"1":2,"2":5,"3":1}}'
    (audit,) = (line for line in table_of(script).lines if line.get("ruling") == "confirmed")
    assert [offence["rule"] for offence in audit["offences"]] == ["first-trick-spades"]
    assert told(script, "en")[-1].endswith(
        "The contract of Rita & Bo does not score (Bo's revoke in trick 1); what is lost counts."
    )


def penalised(illegal: str) -> str:
    return (
        game("hearts-spot", illegal=illegal)
        + HAND
        + PASSED
        + '0:2C 1:3C 2:2D 3:5C 3:6C 0:7C 1:8C 2:9C {"fact":"end-hand","points":{"0":107,"1":10}} '
    )


@pytest.mark.parametrize(
    ("illegal", "said"),
    [
        (
            "26",
            (
                "Hand 1: Rita 0, Ada 0, Bo 26, Cleo 0. Bo takes 26 for the offence, the others nothing.",
                "Mão 1: Rita 0, Ada 0, Bo 26, Cleo 0. Bo leva 26 pela infração, os outros nada.",
                "Rodada 1: Rita 0, Ada 0, Bo 26, Cleo 0. Bo leva 26 pela infração, os outros nada.",
            ),
        ),
        (
            "whole-hand",
            (
                "Hand 1: Rita 0, Ada 0, Bo 117, Cleo 0. Bo takes 117 for the offence, the others nothing.",
                "Mão 1: Rita 0, Ada 0, Bo 117, Cleo 0. Bo leva 117 pela infração, os outros nada.",
                "Rodada 1: Rita 0, Ada 0, Bo 117, Cleo 0. Bo leva 117 pela infração, os outros nada.",
            ),
        ),
        (
            "record",
            (
                "Hand 1: Rita 107, Ada 10, Bo 0, Cleo 0.",
                "Mão 1: Rita 107, Ada 10, Bo 0, Cleo 0.",
                "Rodada 1: Rita 107, Ada 10, Bo 0, Cleo 0.",
            ),
        ),
    ],
)
def test_a_hand_whose_points_go_to_the_offender_says_why(illegal, said):
    assert tuple(told(penalised(illegal), language)[1] for language in LANGUAGES) == said


def test_two_offenders_take_the_points_each_and_the_last_hand_of_a_match_says_so_too():
    script = penalised("26").replace("3:5C", "3:5D").replace('"options": {', '"options": {"target": 26, ')
    script = script.replace('{"fact":"end-hand"', '0:TD 3:TC {"fact":"end-hand"')
    assert told(script, "en")[1:] == [
        "Hand 1: Rita 0, Ada 0, Bo 26, Cleo 26. Bo and Cleo take 26 each for their offences, the others nothing.",
        "The match is over: Rita and Ada first. Places, with totals: 1. Rita and Ada (0); 3. Bo and Cleo (26).",
    ]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            SPADES + '{"fact":"timeout","seat":1}',
            (
                "Not counted: these rules have no time-outs.",
                "Não conta: estas regras não têm limite de tempo.",
                "Não conta: estas regras não têm limite de tempo.",
            ),
        ),
        (
            game("hearts-cardems") + HAND + PASSED + '{"fact":"leave","seat":1}',
            (
                "Not counted: these rules let nobody leave.",
                "Não conta: nestas regras ninguém pode deixar a mesa.",
                "Não conta: nestas regras ninguém pode sair da mesa.",
            ),
        ),
        (
            game("hearts-cardems") + HAND + PASSED + bid(1, 3),
            (
                "Not counted: these rules have no bids.",
                "Não conta: estas regras não têm apostas.",
                "Não conta: estas regras não têm apostas.",
            ),
        ),
        (
            game("hearts-cardems") + HAND + PASSED + '{"fact":"exchanged"}',
            (
                "Not counted: these rules have no exchange of cards.",
                "Não conta: estas regras não têm troca de cartas.",
                "Não conta: estas regras não têm troca de cartas.",
            ),
        ),
    ],
    ids=["time-out", "leave", "bid", "exchange"],
)
def test_what_a_rule_set_does_not_have_is_named(script, said):
    assert tuple(told(script, language)[0] for language in LANGUAGES) == said


def test_what_is_not_resolved_is_named():
    script = OPENING_HAND + '3:5D 0:6D 1:2S {"fact":"end-hand","points":{"0":20,"1":6}}'
    assert tuple(told(script, language)[0] for language in LANGUAGES) == (
        "Hand 1: no offence stands. Not resolved: 1 (plays that no later card settled).",
        "Mão 1: nenhuma infração. Por resolver: 1 (jogadas que nenhuma carta posterior esclareceu).",
        "Rodada 1: nenhuma infração. Por resolver: 1 (jogadas que nenhuma carta posterior esclareceu).",
    )


@pytest.mark.parametrize(("language", "said"), [("pt-PT", "Fica sem efeito: "), ("pt-BR", "Fica sem efeito: ")])
def test_what_holds_no_longer_is_told_as_without_effect(language, said):
    script = OPENING_HAND + '{"fact":"correct","n":5,"set":{"card":"AC"}} '
    assert f"{said}Cleo faz a vaza 1." not in told(OPENING_HAND, language)
    gone = {"event": "void", "n": 7, "was": table_of(OPENING_HAND).lines[1], "by": 8}
    assert in_words(gone, words(language, tuple(NAMES))) == f"{said}Cleo faz a vaza 1."
    assert told(script, language)[0].startswith("Corrigido")


def test_hearts_and_spades_are_broken_in_portugal_too():
    """The rules say ``quebradas``; nothing is open or closed."""
    said = catalogue("pt_PT").values()
    assert [text for text in said if re.search(r"(copas|espadas)\b.*\b(abert|fechad)", text, re.I)] == []
