"""Screens as a table would show them, in English and Portuguese: for the tests, and to look at.

``python -m tests.display.samples FOLDER`` draws each at each size.
"""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import pygame

from tablepi.cards import ALL_CARDS, card
from tablepi.facts import Answer, Choose, Hand, Tick
from tablepi.views.lamps import MEANINGS, Lamp
from tablepi.views.screen import Command, Grid, Photo, Picker, Screen, SeatView, Tap

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (480, 800))

TAPS = (
    Tap("Next hand", Hand(), "n", strong=True),
    Tap("Undo", Command("undo"), "backspace"),
    Tap("Correct…", Command("correct"), "c"),
    Tap("Scores", Command("scores"), "s"),
    Tap("Language", Command("language"), "l"),
    Tap("Help", Command("help"), "f1"),
)

TAPS_PT = (
    Tap("Anular", Command("undo"), "backspace"),
    Tap("Corrigir…", Command("correct"), "c"),
    Tap("Terminar a mão", Command("end-hand"), "t"),
    Tap("Pontuação", Command("scores"), "p"),
    Tap("Idioma", Command("language"), "i"),
    Tap("Ajuda", Command("help"), "f1"),
)


def seat_tap(seat: int) -> Tap:
    return Tap("", Command("enter", str(seat)), str(seat + 1))


def mid_trick() -> Screen:
    """Four seats, the third card a breach, the fourth to play."""
    return Screen(
        language="en",
        title="Hearts",
        seats=(
            SeatView(0, "South", card("TC"), order=1, mark="", points="4", tricks="2", total="31", tap=seat_tap(0)),
            SeatView(
                1, "Rita", card("KC"), order=2, mark="unproven", points="0", tricks="1", total="12", tap=seat_tap(1)
            ),
            SeatView(
                2,
                "Ada",
                card("9D"),
                order=3,
                mark="breach",
                points="1",
                tricks="0",
                total="45",
                lamp=MEANINGS["breach"],
                lamp_words="illegal card",
                tap=seat_tap(2),
            ),
            SeatView(
                3,
                "Bo",
                turn=True,
                points="0",
                tricks="2",
                total="18",
                lamp=MEANINGS["turn"],
                lamp_words="your turn",
                tap=seat_tap(3),
            ),
        ),
        chips=(
            ("Hearts, CardEMS", "plain"),
            ("Hand 3", "plain"),
            ("Pass across ↑", "plain"),
            ("Hearts broken", "warn"),
        ),
        headline="Bo to play",
        ruling="Ada: 9♦ is illegal. Clubs were led, and Ada showed 3♣ in trick 4: she must follow suit. Take the card "
        "back, or play on.",
        ruling_tone="bad",
        alerts=("Reader of seat 2 is lost",),
        taps=TAPS,
        centre=Lamp("green", "steady", "running"),
        centre_words="Trick 6 of 13",
        column_words=("Points", "Tricks", "Total"),
    )


def three_rulings() -> Screen:
    """The latest ruling with two that stand besides."""
    proof = "In trick 2 Rita did not follow diamonds while holding 4♦: it came in trick 6. The same in trick 3."
    doubt = "Bo's 3♠ in trick 5 looks wrong (suit not followed), but a card may be misread or missing: please look."
    return replace(mid_trick(), standing=((proof, "bad"), (doubt, "warn")), last="Ada plays 9♦.", alerts=())


def mid_trick_pt() -> Screen:
    return Screen(
        language="pt-PT",
        title="Copas",
        seats=(
            SeatView(0, "Sul", card("TH"), order=2, points="4", tricks="2", total="31", tap=seat_tap(0)),
            SeatView(
                1,
                "Rita",
                card("QS"),
                order=3,
                mark="pending",
                points="0",
                tricks="1",
                total="12",
                lamp=MEANINGS["question"],
                lamp_words="pergunta",
                tap=seat_tap(1),
            ),
            SeatView(
                2,
                "João",
                turn=True,
                points="1",
                tricks="0",
                total="45",
                lamp=MEANINGS["turn"],
                lamp_words="é a sua vez",
                tap=seat_tap(2),
            ),
            SeatView(
                3,
                "Conceição",
                card("JH"),
                order=1,
                mark="proved",
                points="13",
                tricks="2",
                total="118",
                lamp=MEANINGS["proof"],
                lamp_words="falta provada",
                tap=seat_tap(3),
            ),
        ),
        chips=(
            ("Copas, CardEMS", "plain"),
            ("Mão 3", "plain"),
            ("Passar à esquerda ←", "plain"),
            ("Copas por abrir", "good"),
            ("Câmara escura", "bad"),
        ),
        headline="Joga o João",
        ruling="Falta provada: a Conceição jogou D♠ na vaza 3 e tinha paus na mão (2♣ na vaza 8).",
        ruling_tone="warn",
        taps=TAPS_PT,
        centre_words="Vaza 6 de 13",
        column_words=("Pontos", "Vazas", "Total"),
    )


def question() -> Screen:
    base = mid_trick()
    answers = tuple(
        Tap(c.face(), Answer(question="q3", card=c), str(i + 1), card=c) for i, c in enumerate((card("9C"), card("9S")))
    )
    return Screen(
        language="en",
        title="Hearts",
        seats=(
            *base.seats[:2],
            SeatView(
                2,
                "Ada",
                None,
                covered=True,
                order=3,
                points="1",
                tricks="0",
                total="45",
                lamp=MEANINGS["question"],
                lamp_words="which card?",
                tap=seat_tap(2),
            ),
            base.seats[3],
        ),
        chips=base.chips,
        headline="The table asks",
        ruling="Rita: K♣ follows suit.",
        ruling_tone="good",
        question="Which card did Ada lay in trick 6? The camera saw 9♣ and the reader 9♠.",
        answers=(
            *answers,
            Tap("As it was read", Answer(question="q3"), "return", strong=True),
            Tap("Another card…", Command("pick", "q3"), "a"),
        ),
        alerts=("Reader of seat 2 is lost", "Unknown tag 04:A2:19:7F:55:80 at seat 1"),
        taps=TAPS,
        column_words=base.column_words,
    )


def picker() -> Screen:
    base = mid_trick()
    gone = {"KC", "TC", "2C", "3C", "4C", "AH", "QH", "QS", "5D"}
    order = "SHCD"
    cards = tuple(
        (c, Tap(c.face(), Command("card", str(c))))
        for suit in order
        for c in ALL_CARDS
        if c.suit == suit and str(c) not in gone
    )
    return Screen(
        language="en",
        title=base.title,
        seats=base.seats,
        chips=base.chips,
        taps=TAPS,
        picker=Picker(
            "Which card does Bo play?",
            cards=cards,
            taps=(Tap("Not known", Command("covered"), "space"), Tap("Cancel", Command("cancel"), "escape")),
            typed="Q",
        ),
    )


def picker_pt() -> Screen:
    base = mid_trick_pt()
    return Screen(
        language="pt-PT",
        title=base.title,
        seats=base.seats,
        chips=base.chips,
        taps=TAPS_PT,
        picker=Picker(
            "Que cartas recebeu a Conceição da Maria Antónia de Vasconcelos na passagem à esquerda?",
            cards=tuple(
                (c, Tap(c.face("pt"), Command("card", str(c)), selected=str(c) in ("QS", "2C"))) for c in ALL_CARDS
            ),
            taps=(
                Tap("Pronto", Command("done"), "return", strong=True),
                Tap("Apagar", Command("back"), "backspace"),
                Tap("Cancelar", Command("cancel"), "escape"),
            ),
        ),
    )


def choices() -> Screen:
    """A picker without cards: bids."""
    base = mid_trick()
    bids = tuple(Tap(str(n), Command("bid", str(n)), str(n) if n < 10 else "") for n in range(1, 14))
    return Screen(
        language="en",
        title="Spades",
        seats=base.seats,
        chips=base.chips,
        taps=TAPS,
        picker=Picker(
            "What does Rita bid?",
            taps=(
                Tap("Nil", Command("bid", "nil"), "0"),
                *bids,
                Tap("Blind nil", Command("bid", "blind-nil"), "b"),
                Tap("Cancel", Command("cancel"), "escape"),
            ),
        ),
    )


def record() -> Screen:
    """A picker without cards: the plays that can be corrected."""
    base = mid_trick()
    lines = tuple(
        Tap(f"Trick {1 + i // 4}: {base.seats[i % 4].name} {c.face()}", Command("correct", str(i)))
        for i, c in enumerate(ALL_CARDS[:24])
    )
    return Screen(
        language="en",
        title="Hearts",
        picker=Picker("What was misread?", taps=(*lines, Tap("Cancel", Command("cancel"), "escape"))),
    )


def hand_over() -> Screen:
    base = mid_trick()
    return Screen(
        language="en",
        title="Hearts",
        seats=base.seats,
        chips=base.chips[:2],
        headline="Hand 3 is over",
        ruling="Ada shot the moon. Confirmed: one offence, Bo in trick 7.",
        ruling_tone="warn",
        question="Ada: 26 points off your own score, or on everyone else's?",
        answers=(
            Tap("Take 26 off mine", Choose(seat=2, choice="self"), "1"),
            Tap("Give 26 to others", Choose(seat=2, choice="others"), "2"),
        ),
        grid=Grid(
            "Scores after hand 3",
            ("Hand", "South", "Rita", "Ada", "Bo"),
            (
                ("1", "3", "4", "16", "3"),
                ("2", "24", "8", "3", "−26"),
                ("3", "0", "0", "26", "0"),
                ("Total", "27", "12", "45", "−23"),
            ),
            notes=("The match ends when someone reaches 50.",),
        ),
        taps=TAPS,
    )


def help_page() -> Screen:
    base = mid_trick()
    keys = (
        ("n", "Next hand"),
        ("Backspace", "Take the last entry back"),
        ("c", "Correct an earlier card: choose it from the record, then say what it was"),
        ("s", "Scores of the match"),
        ("1…4", "Enter the card of a seat"),
        ("l", "Change the language"),
        ("F1", "This page"),
        ("Esc", "Back to the table"),
        ("q", "Leave; the match is kept and goes on next time"),
    )
    return Screen(
        language="en",
        title="Hearts",
        seats=base.seats,
        grid=Grid("Keys", ("Key", "What it does"), keys),
        taps=(Tap("Back to the table", Command("back"), "escape", strong=True),),
    )


def scores_pt() -> Screen:
    """A long match of seven, in Portuguese."""
    names = ("Sul", "Rita", "João", "Conceição", "Maria Antónia", "Zé", "Bartolomeu")
    rows = tuple((str(h), *(str((h * 7 + s * 5) % 27) for s in range(7))) for h in range(1, 15))
    return Screen(
        language="pt-PT",
        title="Copas",
        headline="Fim da partida",
        grid=Grid(
            "Pontuação final",
            ("Mão", *names),
            (*rows, ("Total", *("103",) * 7)),
            notes=("A partida acaba quando alguém chega a 100.", "Empate no segundo lugar."),
        ),
        taps=TAPS_PT,
    )


def start() -> Screen:
    return Screen(
        language="en",
        title="tablepi",
        headline="Choose what to play",
        ruling="The last match was interrupted in hand 3, trick 6. It can go on.",
        alerts=("No camera: cards are entered by hand",),
        taps=(
            Tap("Go on with the match", Command("resume"), "return", strong=True),
            Tap("Hearts, 4 players", Command("new", "hearts-cardems"), "h"),
            Tap("Spades, 4 players", Command("new", "spades"), "s"),
            Tap("Other rules…", Command("rules"), "o"),
            Tap("Português", Command("language", "pt-PT"), "l"),
        ),
    )


def bare_start() -> Screen:
    return Screen(
        language="pt-PT",
        title="tablepi",
        headline="Escolha o jogo",
        taps=(Tap("Copas", Command("new", "hearts"), "c", strong=True), Tap("Espadas", Command("new", "spades"), "e")),
    )


def players(n: int) -> Screen:
    """*n* players, all but the last have played."""
    names = ("South", "Rita", "Ada", "Bo", "Cleo", "Dinis", "Eva")[:n]
    cards = ("QS", "TH", "AC", "7D", "KS", "2C", "JD")
    marks = ("", "unproven", "", "pending", "", "proved", "")
    meanings = ("idle", "winner", "lost", "question", "breach", "proof", "idle")
    seats = tuple(
        SeatView(
            i,
            name,
            card(cards[i]) if i < n - 1 else None,
            order=i + 1 if i < n - 1 else 0,
            mark=marks[i] if i < n - 1 else "",
            turn=i == n - 1,
            won=i == 1,
            points=str(i * 3),
            tricks=str(i),
            total=str(i * 13),
            lamp=MEANINGS["turn" if i == n - 1 else meanings[i]],
            lamp_words="your turn" if i == n - 1 else meanings[i],
            tap=seat_tap(i),
        )
        for i, name in enumerate(names)
    )
    return Screen(
        language="en",
        title="Hearts",
        seats=seats,
        chips=((f"{n} players", "plain"), ("Hand 1", "plain"), ("No pass", "good")),
        headline=f"{names[-1]} to play",
        ruling="Dinis: 2♣ proved a revoke in trick 2.",
        ruling_tone="bad",
        taps=TAPS,
        column_words=("Points", "Tricks", "Total"),
    )


def long_words() -> Screen:
    """Everything longer than it should be."""
    name = "Maria Antónia Wolfeschlegelsteinhausenbergerdorff"
    seats = tuple(
        SeatView(
            i,
            f"{name} {i}",
            card("TD"),
            order=i + 1,
            mark=mark,
            turn=i == 2,
            points="−26 of 130",
            tricks="13/13",
            total="−1 234 567",
            lamp=MEANINGS["proof"],
            lamp_words="an earlier card of this seat is proved illegal",
            tap=seat_tap(i),
        )
        for i, mark in enumerate(("proved", "breach", "pending", "unproven"))
    )
    sentence = "The card that Maria Antónia laid in the seventh trick is not in the deck that this table was taught, "
    return Screen(
        language="en",
        title="Hearts after the rules of the Algarve Card Club, edition of 1998",
        seats=seats,
        chips=tuple(
            (f"A standing fact number {i} with many words", t) for i, t in enumerate(("plain", "good", "warn", "bad"))
        ),
        headline=f"{name} must take back her card and then play another one that follows the suit led",
        ruling=sentence * 6,
        ruling_tone="bad",
        question=sentence * 3,
        answers=tuple(
            Tap(f"It was the {c.face()} of the other deck", Command("answer", str(c)), "") for c in ALL_CARDS[:6]
        ),
        alerts=tuple(f"Reader number {i} at /dev/serial/by-id/usb-FTDI_FT232R_{i} is lost" for i in range(5)),
        taps=tuple(Tap(f"A button with a long label {i}", Command("long", str(i)), f"f{i + 1}") for i in range(8)),
        centre=Lamp("amber", "blip", "lost"),
        centre_words=sentence,
        column_words=("Points of this hand", "Tricks of this hand", "Total of the match"),
    )


def lamps() -> Screen:
    """Each rhythm once."""
    meanings = ("turn", "breach", "question", "proof", "lost", "winner", "idle")
    seats = tuple(SeatView(i, m.title(), lamp=MEANINGS[m], lamp_words=m) for i, m in enumerate(meanings))
    return Screen(language="en", title="Lamps", seats=seats)


def jpeg(colour: tuple[int, int, int], size: tuple[int, int] = (160, 120)) -> bytes:
    """A photograph of nothing but a colour."""
    surface, file = pygame.Surface(size), io.BytesIO()
    surface.fill(colour)
    pygame.image.save(surface, file, "photo.jpg")
    return file.getvalue()


GREEN_PHOTO = Photo("Ada, trick 6: 9♦", jpeg((40, 160, 60)))
RED_PHOTO = Photo("Conceição, trick 12: 10♠", jpeg((200, 30, 30), (90, 150)))
UNREADABLE = Photo("Ada, trick 6: 9♦ (cannot be read)", None)


def photographed(*photos: Photo, screen: Screen | None = None) -> Screen:
    """A reviewed step with photographs."""
    return replace(screen if screen is not None else mid_trick(), photos=photos)


def wanted() -> Screen:
    """A card that a person is to find and lay on a reader."""
    return Screen(
        language="pt-PT",
        title="Ensinar as etiquetas",
        chips=(("38 de 52 cartas têm etiqueta.", "plain"),),
        headline="Pouse D♠ num leitor.",
        ruling="Esta etiqueta já é de R♥: pouse outra.",
        ruling_tone="bad",
        alerts=("Falta reader-0: nothing is plugged in there",),
        taps=TAPS,
        wanted=card("QS"),
    )


SAMPLES = {
    "mid_trick": mid_trick(),
    "mid_trick_pt": mid_trick_pt(),
    "three_rulings": three_rulings(),
    "question": question(),
    "picker": picker(),
    "picker_pt": picker_pt(),
    "choices": choices(),
    "record": record(),
    "hand_over": hand_over(),
    "help": help_page(),
    "scores_pt": scores_pt(),
    "start": start(),
    "bare_start": bare_start(),
    **{f"players_{n}": players(n) for n in (2, 3, 5, 6, 7)},
    "long_words": long_words(),
    "lamps": lamps(),
    "wanted": wanted(),
    "photo": photographed(GREEN_PHOTO),
    "two_photos": photographed(GREEN_PHOTO, RED_PHOTO, screen=question()),
    "unreadable_photo": photographed(UNREADABLE),
    "unreadable_photo_beside": photographed(RED_PHOTO, UNREADABLE, screen=mid_trick_pt()),
    "photo_of_the_last_card": photographed(RED_PHOTO, screen=hand_over()),
    "photos_and_long_words": photographed(
        *(replace(photo, caption=long_words().ruling) for photo in (GREEN_PHOTO, UNREADABLE)), screen=long_words()
    ),
    "answered_by_time": Screen(language="en", title="", answers=(Tap("Go on", Tick(), "return"),)),
    "empty": Screen(language="en", title=""),
}


def _draw_all(folder: Path) -> None:
    from tablepi.display import Display

    folder.mkdir(parents=True, exist_ok=True)
    for w, h in SIZES:
        with Display(size=(w, h), headless=True) as display:
            for name, screen in SAMPLES.items():
                display.draw(screen)
                display.picture(folder / f"{name}-{w}x{h}.png")


if __name__ == "__main__":
    _draw_all(Path(sys.argv[1]))
