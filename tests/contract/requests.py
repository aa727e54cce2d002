"""The requests to the API whose answers are recorded, by their path."""

from __future__ import annotations

from typing import NamedTuple

from tests.contract.commands import (
    BAD,
    BIG,
    CLASSIC_RULE_SETS,
    DEALS,
    ENDGAMES,
    OVER,
    PUBLISHED,
    RULES,
    SHIFTING,
    SOLO,
    SOLO_OVER,
    TYPED,
    UNKNOWN,
    only,
    without,
)

PREFIX = "/api/v1"


class Request(NamedTuple):
    """The query of a request."""

    query: tuple[tuple[str, str], ...]
    slow: bool = False
    service: bool = True
    """Whether the service is asked too: its census takes long, that of the static page comes with it."""


def one(**query: str) -> list[Request]:
    """A single request."""
    return [Request(tuple(query.items()))]


def slow(**query: str) -> list[Request]:
    """A request that needs the census of the service."""
    return [Request(tuple(query.items()), slow=True)]


def site_only(**query: str) -> list[Request]:
    """A request to the static page alone."""
    return [Request(tuple(query.items()), service=False)]


def on(name: str, texts: dict[str, str] | tuple[str, ...], **query: str) -> list[Request]:
    """A request about each position or game."""
    values = texts.values() if isinstance(texts, dict) else texts
    return [request for text in values for request in one(**{name: text}, **query)]


def each(rules: tuple[str, ...], **query: str) -> list[Request]:
    """A request with each rule set."""
    return [request for name in rules for request in one(rules=name, **query)]


SMALL = without(ENDGAMES, *BIG)
"""Positions of the small board, which other paths answer for than for the big board."""
LARGE = only(ENDGAMES, *BIG)
QUICK_DEALS = only(DEALS, *CLASSIC_RULE_SETS, *TYPED)
PLAYED = {
    "standard": f"{PUBLISHED} a2 b4",
    "joker": f"{DEALS['joker']} a1 b1",
    "choice": f"{DEALS['choice']} a1 b1",
    "shift": f"{ENDGAMES['shift']} c1d",
    "shift-box": f"{ENDGAMES['shift-box']} c1d",
    "shift-rotate": ENDGAMES["shift-rotate"],
    "1,3|2": ENDGAMES["1,3|2"],
    "standard@5,4,3,2": ENDGAMES["standard@5,4,3,2"],
    "joker@3x4": ENDGAMES["joker@3x4"],
}
ONE_PLY = "..A.../..3.../..A.../.2rA.../..2b.../...... r big"
PLAYED_BIG = (f"{ONE_PLY} c3", f"{ENDGAMES['big3']} c3", ENDGAMES["big4"], ENDGAMES["five3"])
EASY = only(LARGE, "big", "big3")
LEVELS = (
    "random",
    "1",
    "2",
    "roamer",
    "4",
    "card",
    "dreamer",
    "expert",
    "master",
    "perfect",
    "pocket",
    "points",
    "tempting",
)

REQUESTS: dict[str, list[Request]] = {
    "about": one(),
    "analysis": [
        *on("position", QUICK_DEALS),
        *on("position", SMALL),
        *on("position", only(OVER, "standard", "shift")),
        *on("position", (*BAD, DEALS["big"], SOLO[0])),
        *each((*CLASSIC_RULE_SETS, *TYPED, "big", UNKNOWN), position=PUBLISHED),
        *one(),
    ],
    "moves": [
        *on("position", SMALL),
        *on("position", only(OVER, "standard", "shift")),
        *on("position", BAD[:2]),
    ],
    "why": [
        *on("position", (PUBLISHED,)),
        *on("position", SMALL),
        *on("position", only(OVER, "standard", "shift")),
        *on("position", BAD[:2]),
    ],
    "similar": [
        *on("position", only(DEALS, *CLASSIC_RULE_SETS, *TYPED)),
        *on("position", (PUBLISHED, PLAYED["standard"], DEALS["shift"], ENDGAMES["standard"], BAD[0])),
        *each(("joker",), position=PUBLISHED),
    ],
    "computer-move": [
        *(request for level in LEVELS for request in on("position", (PUBLISHED,), level=level, seed="7")),
        *on("position", SMALL, level="perfect", seed="7"),
        *on("position", SMALL, level="1", seed="7"),
        *on("position", (PUBLISHED,), level="nonsense"),
        *on("position", only(OVER, "standard"), seed="7"),
    ],
    "deal": [
        *each((*RULES, UNKNOWN), seed="7"),
        *each(("standard", "joker", "choice"), seed="7", winner="blue"),
        *one(seed="7", winner="green"),
        *one(seed="-1"),
        *site_only(seed="7", plies="9", winner="red"),
        *site_only(seed="7", plies="3"),
        *each((*SHIFTING, "joker@3x4", "standard@5,4,3,2"), seed="7", plies="9"),
        *slow(seed="7", plies="9", winner="red"),
        *slow(seed="7", plies="3"),
    ],
    "game": [
        *on("game", only(DEALS, "standard", "shift")),
        *on("game", PLAYED),
        *on("game", only(OVER, "standard", "shift")),
        *one(game=f"{PUBLISHED} a2 b4", ply="1"),
        *one(game=f"{PUBLISHED} a2 b4", ply="9"),
        *one(game=f"{PUBLISHED} a2 b4", match="9-4"),
        *one(game=PUBLISHED, match="16-4"),
        *one(game=f"{PUBLISHED} a2 b4 (a3! {{closer}} c4) d1"),
        *one(game=f"{PUBLISHED} a2 (zz)"),
        *on("game", (*BAD, DEALS["big"])),
    ],
    "edit": [
        *on("draft", only(DEALS, "standard", "shift", "joker@3x4")),
        *one(draft="A223/4A2J/3A23/J3A4 r", lay="r", square="d2"),
        *one(draft=PUBLISHED, lay="4", square="a1"),
        *one(draft=PUBLISHED, lay="."),
        *one(draft=PUBLISHED, side="b"),
        *one(draft=PUBLISHED, rules="joker"),
        *one(draft=PUBLISHED, rules="big"),
        *one(draft=PUBLISHED, lay="9", square="a1"),
        *one(draft="A223"),
    ],
    "review": [*on("game", PLAYED), *on("game", BAD[:2])],
    "lessons": one(),
    "drill": [*one(line="1", seed="0"), *one(line="2", seed="7"), *one(line="99", seed="0"), *one(seed="0")],
    "walk": [
        *on("position", (PUBLISHED, DEALS["shift"], DEALS["big"], SOLO[0])),
        *on("position", only(OVER, "standard")),
        *on("position", BAD[:2]),
    ],
    "puzzle": [
        *each(("standard", "1,3|2", "standard@5,4,3,2"), seed="7"),
        *(request for kind in ("easy", "medium", "hard", "pass") for request in one(kind=kind, seed="7")),
        *one(kind="nonsense"),
        *each((*SHIFTING, "big", UNKNOWN), seed="7"),
    ],
    "puzzle/try": [
        *one(position=PUBLISHED, move="a2"),
        *one(position=PUBLISHED, move="d1"),
        *one(position=PUBLISHED, move="a1"),
        *one(position=ENDGAMES["joker"], move="b4"),
        *one(position=ENDGAMES["shift"], move="c1d"),
        *one(position=PUBLISHED, move="pass"),
        *one(position=PUBLISHED, move="move"),
        *one(position=ENDGAMES["shift"], move="pass"),
        *one(position=OVER["standard"], move="pass"),
        *one(position=PUBLISHED),
    ],
    "daily": [
        *one(date="2026-10-02"),
        *one(date="2026-10-02", moves="z9"),
        *one(date="2026-02-30"),
        *one(date="2999-01-01"),
    ],
    "solo/game": [
        *on("game", (*SOLO, SOLO_OVER, "A2X", PUBLISHED)),
        *one(game=SOLO[1], ply="1"),
        *one(game=SOLO[1], ply="9"),
    ],
    "solo/analysis": [*on("game", (*SOLO, SOLO_OVER, "A2X")), *one(game=SOLO[1], ply="1")],
    "solo/deal": [
        *one(seed="7"),
        *one(seed="7", exit="closed"),
        *(request for level in ("easy", "medium", "hard") for request in one(seed="7", difficulty=level)),
        *one(seed="7", deck="1122334"),
        *one(seed="7", deck="11112222333344"),
        *one(seed="7", deck="nonsense"),
    ],
    "solo/drawing": [
        *one(game=SOLO[0]),
        *one(game=SOLO[0], values="true"),
        *one(game=SOLO[0], move="b1"),
        *one(game="A2X"),
    ],
    "drawing": [
        *on("position", only(ENDGAMES, "standard", "shift", "joker@3x4")),
        *on("position", only(ENDGAMES, "standard", "shift"), values="true"),
        *one(position=PUBLISHED, move="a2"),
        *one(position=PUBLISHED, move="a1"),
        *on("position", BAD[:2]),
    ],
    "census": [
        *(request for name in CLASSIC_RULE_SETS for request in site_only(rules=name)),
        *each((*SHIFTING, "standard@5,4,3,2", "joker@3x4", "big", UNKNOWN)),
        *slow(rules="standard"),
    ],
    "census/deal": [
        *(request for name in CLASSIC_RULE_SETS for request in site_only(position=DEALS[name])),
        *on(
            "position",
            (DEALS["shift"], DEALS["joker@3x4"], DEALS["standard@5,4,3,2"], DEALS["big"], *BAD[:2]),
        ),
        *slow(position=DEALS["standard"]),
        *slow(position=ENDGAMES["standard"]),
    ],
    "big/deal": [*each((*BIG, "standard", UNKNOWN), seed="7")],
    "big/game": [
        *on("game", only(DEALS, "big")),
        *on("game", PLAYED_BIG),
        *on("game", only(OVER, "big", "big3")),
        *one(game=f"{ENDGAMES['big3']} c3", ply="0", match="start"),
        *one(game=OVER["big3"], match="3-1-2/1"),
        *one(game=ENDGAMES["big3"], ply="9"),
        *on("game", (PUBLISHED, *BAD[:2])),
    ],
    "big/computer-move": [
        *(
            request
            for level in ("random", "1", "2")
            for request in on("position", only(DEALS, *BIG), level=level, seed="7")
        ),
        *on("position", EASY, level="perfect", seed="7"),
        *on("position", EASY, level="master", seed="7"),
        *on("position", EASY, level="card"),
        *on("position", (PUBLISHED, OVER["big"])),
    ],
    "big/analysis": [
        *on("position", LARGE),
        *on("position", only(OVER, "big", "big3")),
        *on("position", (PUBLISHED, *BAD[:2])),
    ],
    "big/review": [*on("game", PLAYED_BIG[:2]), *on("game", (PUBLISHED, *BAD[:2]))],
    "big/drawing": [
        *on("position", EASY),
        *on("position", EASY, values="true"),
        *one(position=ENDGAMES["big3"], move="c3"),
        *on("position", (PUBLISHED,)),
    ],
    "rooms/new": [  # the others are about the first room made here, or the last
        *on("game", only(DEALS, "standard", "shift", "big3"), match="start"),
        *one(game=DEALS["big3"], seats="person.random.person"),
        *one(game=DEALS["standard"], seats="person"),
        *on("game", (SOLO_OVER, *BAD[:2])),
        *one(game=PUBLISHED),
    ],
    "rooms/state": [
        *one(room="<room>", token="<token>"),
        *one(room="<room>", token="<last token>"),
        *one(room="none", token="<token>"),
        *one(room="none"),
    ],
    "rooms/restore": [*one(token="<token>", sealed="<sealed>"), *one(token="<token>", sealed="x~y")],
    "rooms/round": [
        *one(room="<last room>", token="<last token>", version="0", match="true"),
        *one(room="<last room>", token="<last token>", version="0"),
        *one(room="<room>", token="<token>", version="x"),
    ],
    "rooms/move": [
        *one(room="<room>", token="<token>", version="0", move="b3"),
        *one(room="<room>", token="<token>", version="0", move="b3"),
        *one(room="<room>", token="<token>", version="0", move="c2"),
        *one(room="<room>", token="<token>", version="1", move="c2"),
        *one(room="<room>", token="<last token>", version="1", move="c2"),
    ],
}
