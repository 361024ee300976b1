"""Who has how long for a card or a pass, where the options say so."""

from __future__ import annotations

import json

import pytest

from tablepi.time_limits import Limit, limit

from .script import Told, match

TOURNAMENT = match("hearts-tournament", timeouts={"play": 30, "pass": 60})
DEALT = '{"fact":"hand","dealer":0} '
PLAYING = DEALT + '{"fact":"passed"} '


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (TOURNAMENT, None),
        (TOURNAMENT + DEALT, Limit((0, 1, 2, 3), (1,), 60)),
        (TOURNAMENT + DEALT + '{"fact":"pass","seat":1,"count":3}', Limit((0, 2, 3), (1,), 60)),
        (TOURNAMENT + DEALT + '{"fact":"timeout","seat":0}', Limit((1, 2, 3), (1,), 60)),
        (TOURNAMENT + PLAYING, None),  # nobody knows who opens
        (TOURNAMENT + PLAYING + "0:2C", Limit((1,), (1, 1, 1), 30)),
        (TOURNAMENT + PLAYING + '0:2C {"fact":"timeout","seat":1}', None),
        (TOURNAMENT + PLAYING + '0:2C {"fact":"leave","seat":1}', None),
        (TOURNAMENT + PLAYING + "0:2C 1:3C 2:KC 3:4C", Limit((2,), (1, 2, 0), 32)),  # the pause after a trick
        (TOURNAMENT + PLAYING + "0:2C 1:3C 2:3C", None),  # which of them is 3♣?
        (match("hearts-tournament") + PLAYING + "0:2C", None),
        (match("hearts-tournament", timeouts={"pass": 60}) + PLAYING + "0:2C", None),
        (match("hearts-cardems") + PLAYING + "0:2C", None),
        (match("spades") + DEALT, None),
    ],
)
def test_the_time_of_those_who_are_awaited_is_limited_while_nothing_is_asked(script, expected):
    assert limit(Told(script).table.state) == expected


def test_a_match_that_is_over_limits_nobody():
    told = Told(TOURNAMENT + PLAYING + "0:2C " + json.dumps({"fact": "end-match"}))
    assert limit(told.table.state) is None
