"""The virtual world plays at a real table: the real readers, the real device threads, and a loop as small as can be."""

import queue
import random
import threading
from contextlib import ExitStack
from itertools import islice

import pytest

from tablepi import facts
from tablepi.cards import ALL_CARDS, card
from tablepi.devices.readers import LineReader
from tablepi.devices.roles import Role
from tablepi.devices.supervisor import Supervisor
from tablepi.devices.tags import uid
from tablepi.virtual.players import DealHand, Enter, HandOver, Lay, Slips, Sweep, acts_of, play_match
from tablepi.virtual.readers import VirtualReader
from tablepi.virtual.world import AtOnce, Stuck, Surfaces, TagSurface, World, patience_s, uid_of, virtual_deck

from ..script import NAMES, RULEBOOK, Told, held
from ..script import facts as script
from .truth import expected, game, ruled, truth_lines

WAIT_S = 10
OVER = object()


class Felt:
    """A surface whose cards go straight into the inbox."""

    tells = (facts.Tag,)

    def __init__(self, inbox, *, tells_leaving=False):
        self.tells_leaving = tells_leaving
        self.lying = []
        self._inbox = inbox

    def lay(self, seat, laid):
        self.lying.append((seat, laid))
        self._inbox.put(facts.Tag(seat=seat, card=laid, source=f"reader-{seat}"))

    def lift(self, seat, lifted):
        self.lying.remove((seat, lifted))
        if self.tells_leaving:
            self._inbox.put(facts.Untag(seat=seat, card=lifted, source=f"reader-{seat}"))

    def sweep(self, winner):
        for seat, swept in tuple(self.lying):
            self.lift(seat, swept)


def play(world, inbox):
    """Answer facts until the world is done; the table with all it told."""
    told = Told("")
    with world:
        while (fact := inbox.get(timeout=WAIT_S)) is not OVER:
            told.tell([fact])
            world.look(told.table)
    return told


def on_the_felt(acts, *, tells_leaving=False, **ways):
    inbox = queue.Queue()
    felt = Felt(inbox, tells_leaving=tells_leaving)
    return play(World(acts, felt, inbox.put, on_done=lambda: inbox.put(OVER), **ways), inbox)


def at_readers(folder, acts, *, shared=False, repeats=False, gap_s=0.0, piece=None, **ways):
    """Play *acts* with bytes on pseudo-terminals, read by the program's own readers in its own threads."""
    inbox = queue.Queue(maxsize=8)
    with ExitStack() as stack:
        seats = (None,) if shared else range(4)
        readers = {
            seat: stack.enter_context(VirtualReader(folder / f"by-id-{seat}", repeats=repeats, piece=piece))
            for seat in seats
        }
        devices = [
            LineReader(
                str(r.link), Role(f"reader-{seat}", cards=virtual_deck(), seat=seat), repeats=repeats, gap_s=gap_s
            )
            for seat, r in readers.items()
        ]
        supervisor = stack.enter_context(Supervisor(devices, inbox))
        assert supervisor.wait_tried(WAIT_S)
        surface = TagSurface(readers[None] if shared else readers, tells_leaving=repeats)
        return play(World(acts, surface, inbox.put, on_done=lambda: inbox.put(OVER), **ways), inbox)


@pytest.mark.parametrize("tells_leaving", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_match_is_played_to_its_end_and_refereed_right(seed, tells_leaving):
    truth = []
    told = on_the_felt(game(seed, rate=0.1), tells_leaving=tells_leaving, write=truth.append)
    assert ruled(told.lines) == expected(truth)
    assert [line["reason"] for line in told.events("match")] == ["agreement"]


@pytest.mark.parametrize("seed", range(3))
def test_real_bytes_from_four_readers_are_refereed_right(tmp_path, seed):
    truth = []
    told = at_readers(tmp_path, game(seed, rate=0.05), piece=3, write=truth.append)
    assert ruled(told.lines) == expected(truth)
    assert len(truth) > 200


def test_readers_that_repeat_tell_that_a_card_is_taken_back(tmp_path):
    acts = game(2, hands=1, kinds=("taken-back",), rate=0.2)
    tricks = [place for place, act in enumerate(acts) if isinstance(act, Sweep)]
    told = at_readers(tmp_path, acts[: tricks[3] + 1], repeats=True, gap_s=0.3)
    taken_back = [
        (act.trick, act.seat, str(act.card))
        for act in acts[: tricks[3]]
        if isinstance(act, Lay) and act.fault == "taken-back"
    ]
    assert taken_back
    assert [(r["trick"], r["seat"], r["card"]) for r in told.rulings("withdrawn")] == taken_back
    assert told.rulings("breach", "proved") == []


def test_one_reader_that_all_share_is_told_who_opens(tmp_path):
    acts = game(1, hands=2, kinds=("revoke", "hearts-not-broken", "taken-back"), rate=0.05)
    told = at_readers(tmp_path, acts, shared=True)
    assert ruled(told.lines) == expected(truth_lines(acts))
    assert [(q["ask"], q["why"]) for q in told.questions()] == [("seat", "whose")] * 2
    assert told.table.state.questions == ()


@pytest.mark.parametrize(
    ("passes", "entered"),
    [("hidden", []), ("count", [(3, None)] * 4), ("open", [(None, 3)] * 4)],
)
def test_the_display_is_told_of_the_pass(passes, entered):
    told = on_the_felt(game(1, hands=1, erring=False), passes=passes)
    said = [entry.fact for entry in told.table.log]
    assert [(p.count, p.cards and len(p.cards)) for p in said if isinstance(p, facts.Pass)] == entered
    assert [type(fact).__name__ for fact in said if not isinstance(fact, facts.Tag | facts.Pass)] == [
        "Match",
        "Hand",
        "Passed",
        "EndMatch",
    ]
    assert told.rulings("breach", "ignored") == []


def test_the_next_card_waits_for_the_table_and_for_nothing_else():
    inbox = queue.Queue()
    felt = Felt(inbox)
    told = Told(held())
    world = World([Lay(1, 1, 0, card("2C")), Lay(1, 1, 1, card("3C"))], felt, inbox.put)
    world.look(told.table)
    with world:
        assert inbox.get(timeout=WAIT_S).card == card("2C")
        told.tell('{"fact":"lost","device":"lamps"}')  # an answer to something else
        world.look(told.table)
        with pytest.raises(queue.Empty):
            inbox.get(timeout=0.05)
        told.tell("0#2C")
        world.look(told.table)
        assert inbox.get(timeout=WAIT_S).card == card("3C")
        told.tell("1#3C")
        world.look(told.table)
        assert world.done.wait(WAIT_S)


def test_a_card_that_gets_no_answer_is_laid_again():
    inbox = queue.Queue()
    told = Told(held())
    world = World([Lay(1, 1, 0, card("2C"))], Felt(inbox), inbox.put, patience_s=0.01)
    with world:
        assert [inbox.get(timeout=WAIT_S).card for _ in range(2)] == [card("2C")] * 2
        told.tell("0#2C")
        world.look(told.table)
        assert world.done.wait(WAIT_S)


def test_a_table_that_never_answers_is_an_error_that_says_what_was_awaited():
    inbox = queue.Queue()
    with (
        pytest.raises(
            Stuck, match=r"2C of seat 0 \(hand 1, trick 1\) was laid 3 times, and no reader told the table of it"
        ),
        World([Lay(1, 1, 0, card("2C"))], Felt(inbox), inbox.put, patience_s=0.001) as world,
    ):
        assert world.done.wait(WAIT_S)


class Camera:
    """A camera that sees what it is *told* to see of each card laid: another card, or nothing."""

    tells = (facts.Seen,)
    tells_leaving = False

    def __init__(self, inbox, sees):
        self._inbox, self._sees = inbox, sees

    def lay(self, seat, laid):
        seen = self._sees.get(str(laid), str(laid))
        if seen is not None:
            confidence = 0.4 if seen.endswith("?") else 0.95
            self._inbox.put(
                facts.Seen(seat=seat, card=card(seen.strip("?")), confidence=confidence, steady=0.4, source="camera")
            )

    def lift(self, seat, lifted):
        pass

    def sweep(self, winner):
        pass


def laid_cards(told):
    return [str(laid.card) for laid in told.table.state.deal.felt.trick]


def test_people_answer_what_the_camera_could_not_read():
    inbox = queue.Queue()
    acts = [Enter(fact) for fact in script(held())] + [Lay(1, 1, 0, card("2C")), Lay(1, 1, 1, card("3C"))]
    told = play(World(acts, Camera(inbox, {"3C": "8C?"}), inbox.put, on_done=lambda: inbox.put(OVER)), inbox)
    assert laid_cards(told) == ["2C", "3C"]
    assert told.table.state.questions == ()


def test_people_name_a_card_that_lay_below_another_and_was_swept_before_anybody_saw_it():
    """Seat 3 lays two as one; the upper is taken back, and the trick is swept at once."""
    inbox = queue.Queue()
    acts = [Enter(fact) for fact in script(held())]
    acts += [Lay(1, 1, seat, card(name)) for seat, name in enumerate(("2C", "KC", "3C", "5C"))]
    acts += [Enter(facts.Withdraw(seat=3, card=card("9D"), source="person")), Sweep(1, 1, (), winner=1)]
    acts += [Lay(1, 2, 1, card("8D")), Lay(1, 2, 2, card("7D"))]
    told = play(World(acts, Camera(inbox, {"5C": "9D"}), inbox.put, on_done=lambda: inbox.put(OVER)), inbox)
    assert [line["cards"] for line in told.events("trick")][-1] == {"0": "2C", "1": "KC", "2": "3C", "3": "5C"}
    assert (laid_cards(told), told.table.state.questions) == (["8D", "7D"], ())
    assert told.rulings("breach", "proved") == []


class Imagining(Camera):
    """A camera that sees *there*, a seat and a card, where nothing was laid, after a card of another seat."""

    def __init__(self, inbox, after, seat, there, confidence):
        super().__init__(inbox, {})
        self._after, self._there = after, (seat, there, confidence)

    def lay(self, seat, laid):
        super().lay(seat, laid)
        if str(laid) == self._after:
            where, what, confidence = self._there
            self._inbox.put(facts.Seen(seat=where, card=card(what), confidence=confidence, steady=0.4, source="camera"))


@pytest.mark.parametrize(("seat", "what", "confidence"), [(1, "KD", 0.4), (3, "KD", 0.4), (3, "KD", 0.95)])
def test_people_say_that_no_card_was_laid_where_the_camera_took_something_for_one(seat, what, confidence):
    """A joker lies there, or nothing; the seat in turn lays its card afterwards all the same."""
    inbox = queue.Queue()
    acts = [Enter(fact) for fact in script(held())]
    acts += [Lay(1, 1, seat, card(name)) for seat, name in enumerate(("2C", "3C", "4C", "5C"))]
    told = play(
        World(acts, Imagining(inbox, "2C", seat, what, confidence), inbox.put, on_done=lambda: inbox.put(OVER)), inbox
    )
    assert laid_cards(told) == []
    assert [line["cards"] for line in told.events("trick")][-1] == {"0": "2C", "1": "3C", "2": "4C", "3": "5C"}
    assert told.table.state.questions == ()


def test_people_say_whose_card_it_is_that_the_camera_misread_for_one_laid_before():
    """Seat 3 leads out of turn with its ace of spades, which is taken for seat 1's ace of clubs."""
    inbox = queue.Queue()
    acts = [Enter(fact) for fact in script(held())]
    laid = ((0, "2C"), (1, "AC"), (2, "3C"), (3, "4C"), (3, "AS"))
    acts += [Lay(1, 1 + (number > 3), seat, card(name)) for number, (seat, name) in enumerate(laid)]
    camera = Camera(inbox, {"AS": "AC"})
    told = play(World(acts, camera, inbox.put, patience_s=0.01, on_done=lambda: inbox.put(OVER)), inbox)
    assert told.table.state.questions == ()
    assert [(each.seat, str(each.card)) for each in told.table.state.deal.felt.trick] == [(3, "AS")]


def test_people_enter_a_card_that_the_camera_does_not_see():
    inbox = queue.Queue()
    acts = [Enter(fact) for fact in script(held())] + [Lay(1, 1, 0, card("2C")), Lay(1, 1, 1, card("3C"))]
    camera = Camera(inbox, {"3C": None})
    told = play(World(acts, camera, inbox.put, patience_s=0.01, on_done=lambda: inbox.put(OVER)), inbox)
    assert laid_cards(told) == ["2C", "3C"]
    assert [entry.fact.source for entry in told.table.log if isinstance(entry.fact, facts.Play)] == ["person"]


def test_with_readers_and_a_camera_the_next_card_waits_for_both():
    inbox = queue.Queue()
    surfaces = Surfaces(Felt(inbox), Camera(inbox, {}))
    acts = [Enter(fact) for fact in script(held())] + [Lay(1, 1, 0, card("2C")), Lay(1, 1, 1, card("3C"))]
    told = play(World(acts, surfaces, inbox.put, on_done=lambda: inbox.put(OVER)), inbox)
    assert [type(entry.fact).__name__ for entry in told.table.log[-4:]] == ["Tag", "Seen", "Tag", "Seen"]
    assert laid_cards(told) == ["2C", "3C"]


def test_a_bug_in_the_world_is_raised_where_the_loop_looks():
    def broken():
        raise RuntimeError("no more cards")
        yield

    world = World(broken(), Felt(queue.Queue()), print)
    with pytest.raises(RuntimeError, match="no more cards"), world:
        assert world.done.wait(WAIT_S)


def test_a_stopped_world_lays_nothing_more():
    inbox = queue.Queue()
    world = World(game(1), Felt(inbox), inbox.put, pause_s=3600)
    with world:
        told = Told("")
        while not isinstance(fact := inbox.get(timeout=WAIT_S), facts.Tag):
            told.tell([fact])
            world.look(told.table)
        told.tell([fact])
        world.look(told.table)
    assert world.done.wait(WAIT_S)  # the pause of an hour was ended
    assert inbox.empty()


def test_step_by_step_each_act_is_handed_out_when_it_is_answered():
    told = Told("")
    rng = random.Random(1)
    match = facts.Match(rules="hearts-cardems", players=tuple(NAMES))
    acts = list(play_match(match, RULEBOOK["hearts-cardems"], hands=1, rng=rng, slips=Slips(rng, hands=1)))

    def answer(fact):
        told.tell([fact])
        world.look(told.table)

    class Answered:
        tells = (facts.Tag,)
        tells_leaving = False

        def lay(self, seat, laid):
            answer(facts.Tag(seat=seat, card=laid, source="reader"))

        def lift(self, seat, lifted):
            pass

        def sweep(self, winner):
            pass

    world = World(acts, Answered(), answer)
    assert list(iter(world.step, None)) == acts
    assert ruled(told.lines) == expected(truth_lines(acts))
    assert [type(a) for a in acts[:2]] == [Enter, DealHand]
    assert any(isinstance(a, HandOver) for a in acts)


def test_a_scripted_game_gives_the_rulings_that_its_facts_give():
    said = held() + "0:2C 1:5H 1-5H 1:6C 2:7C 3:8C 3:9D 0:2H 1:TD 2:JD 0:AD"
    assert on_the_felt(acts_of(script(said), RULEBOOK)).grades == Told(said).grades


WITH_EYES = (
    held()
    + "0#2C 0~2C 1~3S 1#3C 2#4C 2~4C 3#5C 3~5C "  # the camera misreads one, and both tell of each
    + " ".join(
        f'{{"fact":"gone","seat":{s},"card":"{c}","source":"camera"}}' for s, c in enumerate(("2C", "3C", "4C", "5C"))
    )
    + ' {"fact":"cleared","source":"camera"} 3#6D 3~6D {"fact":"gone","seat":3,"card":"6D","source":"camera"} '
    + "3#7D 3~7D 0#8D 0~8D 1#2S 1~2S 2#9D 2~9D "
    # Cleo's card is not swept yet when Ada's is replaced: it was taken back.
    + '{"fact":"gone","seat":1,"card":"2S","source":"camera"} 1#TD 1~TD '
    + " ".join(
        f'{{"fact":"gone","seat":{s},"card":"{c}","source":"camera"}}'
        for s, c in ((3, "7D"), (0, "8D"), (1, "TD"), (2, "9D"))
    )
    + ' 1#JD 1~JD {"fact":"gone","seat":1,"card":"JD","source":"camera"} 1#QD 1~QD'
)


@pytest.mark.parametrize("tells_leaving", [False, True])
def test_an_export_full_of_what_devices_said_gives_the_plays_and_rulings_that_its_facts_give(tells_leaving):
    """A swept card is not taken back, a card that two sources told of is laid once, a misread one as it was."""
    told, again = Told(WITH_EYES), on_the_felt(acts_of(script(WITH_EYES), RULEBOOK), tells_leaving=tells_leaving)
    assert outcome(again.table)[0] == outcome(told.table)[0]
    withdrawn = {tuple(line[key] for key in ("trick", "seat", "card")) for line in again.rulings("withdrawn")}
    assert withdrawn == {(2, 3, "6D"), (2, 1, "2S"), (3, 1, "JD")}
    assert not again.rulings("ignored")


def outcome(table):
    """What lies in each trick, and whom the table holds what against."""
    deal = table.state.deal
    places = sorted((number, laid.seat, str(laid.card)) for number, laid in deal.felt.places())
    return places, sorted((finding.seat, finding.rule, finding.how) for finding in deal.settled)


def test_the_answers_of_a_script_are_its_own_and_one_that_nobody_asks_for_is_left_out():
    said = held() + '0~2C 1~3C 1#3S {"fact":"answer","question":"q6","card":"3S"} 2#4C 3#5C'
    told = on_the_felt(acts_of(script(said), RULEBOOK))
    assert outcome(told.table) == outcome(Told(said).table)
    assert not told.rulings("ignored")


def test_what_is_left_of_a_trick_is_swept_before_the_next_hand():
    said = held() + '0:2C 1:3C {"fact":"misdeal"} {"fact":"hand","dealer":1} {"fact":"passed"} 2:2C'
    kinds = [type(act).__name__ for act in acts_of(script(said), RULEBOOK)]
    assert kinds[3:] == ["Lay", "Lay", "Enter", "Sweep", "Enter", "Enter", "Lay"]


def test_a_slow_felt_is_given_the_time_that_it_takes_and_a_fast_one_no_less_than_the_machine_takes():
    assert [patience_s(speed) for speed in (0.1, 1.0, 20.0)] == [20.0, 2.0, 2.0]


def test_a_correction_in_a_scripted_game_finds_its_fact_under_another_number():
    said = held() + '{"fact":"lost","device":"x"} 0:2C 1:3C 2:4S {"fact":"correct","n":7,"set":{"card":"4C"}} 3:5C'
    told = on_the_felt(acts_of(script(said), RULEBOOK))  # the lost device is left out, so each number is one less
    assert [str(laid.card) for laid in told.table.state.deal.felt.tricks[0].cards] == ["2C", "3C", "4C", "5C"]


def test_the_virtual_deck_has_a_tag_for_every_card():
    deck = virtual_deck()
    assert sorted(deck.values()) == list(ALL_CARDS)
    assert [uid(tag) for tag in deck] == list(deck)
    assert deck[uid_of(card("QS"))] == card("QS")
    assert list(islice(deck, 2)) == ["0471005EC0DE80", "0471015EC0DE80"]


def test_cards_laid_at_once_are_awaited_together():
    acts = list(game(3, hands=1, erring=False))
    first = next(i for i, act in enumerate(acts) if isinstance(act, Lay))
    together = AtOnce(tuple(acts[first : first + 4]))
    lines = []
    told = on_the_felt([*acts[:first], together, *acts[first + 4 :]], write=lines.append)
    assert lines == truth_lines(acts)
    assert ruled(told.lines) == expected(truth_lines(acts))


def test_of_cards_laid_at_once_only_those_that_the_table_does_not_know_are_laid_again():
    acts = list(game(3, hands=1, erring=False))
    first = next(i for i, act in enumerate(acts) if isinstance(act, Lay))
    laid, inbox = [], queue.Queue()

    class Forgetful(Felt):
        def lay(self, seat, card):
            laid.append(card)
            if card != acts[first + 1].card or laid.count(card) > 1:
                super().lay(seat, card)

    trick = [*acts[:first], AtOnce(tuple(acts[first : first + 4]))]
    play(World(trick, Forgetful(inbox), inbox.put, patience_s=0.05, on_done=lambda: inbox.put(OVER)), inbox)
    assert laid == [act.card for act in acts[first : first + 4]] + [acts[first + 1].card]


def test_a_world_that_is_given_a_way_to_wait_can_be_stepped_without_a_thread():
    """Facts come while it waits, in the thread that steps it, and its patience is that of the clock that waits."""
    acts, inbox, told, waited = list(game(5, hands=1, erring=False)), queue.Queue(), Told(""), []

    def wait(ready, seconds):
        waited.append(seconds)
        while not ready():
            if inbox.empty():
                return False
            told.tell([inbox.get()])
            world.look(told.table)
        return True

    threads = threading.active_count()
    world = World(acts, Felt(inbox), inbox.put, patience_s=7.0, wait=wait)
    performed = []
    while (act := world.step()) is not None:
        performed.append(act)
    assert performed == acts
    assert set(waited) == {7.0}
    assert threading.active_count() == threads
    assert ruled(told.lines) == expected(truth_lines(acts))
