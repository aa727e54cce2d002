"""Questions about rooms, where people play live. Only the service has rooms, not the static page."""

from typing import TYPE_CHECKING, Annotated

from collapsi.api.question import Param, RoomWork, question
from collapsi.api.questions.parameters import EXAMPLE
from collapsi.api.rooms import PERSON
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.core.rows import shorten
from collapsi.games.levels import Level
from collapsi.games.registry import parse_game
from collapsi.play.levels import check_level
from collapsi.play.rounds import Round, read_match

if TYPE_CHECKING:
    from collapsi.api import models
    from collapsi.api.rooms import Players
    from collapsi.core.rules import RuleSet

START = "start"
"""The text of a match that has not begun."""
MOST_GAME = 1000
MOST_SEALED = 2000

RoomId = Annotated[str, Param("The id of the room.", examples=["nXoB1cHrZ8ks"], max_length=40)]
Token = Annotated[
    str,
    Param(
        "The token in the link: of a seat, or to watch.", examples=["8gVwXZ1mJ5zv0y3n2fYb4A"], max_length=40
    ),
]
Version = Annotated[int, Param("The version that the request is about.", examples=["0"], ge=0, lt=2**31)]


@question("rooms/new", summary="Make a room to play live", method="POST", on_site=False)
def new_room(
    game: Annotated[
        str,
        Param(
            "The deal, or the game so far, of any kind for two or more.",
            examples=[EXAMPLE],
            max_length=MOST_GAME,
        ),
    ],
    seats: Annotated[
        str,
        Param(
            "The players by number, separated by dots: `person`, or a level of the computer. By default all "
            "are people.",
            examples=["person.person", "person.perfect"],
            max_length=100,
        ),
    ] = "",
    match: Annotated[
        str,
        Param(
            "The match before this round, as `game` reads it; `start` begins one.",
            examples=["start", "9-4"],
            max_length=60,
        ),
    ] = "",
) -> "RoomWork[models.NewRoom]":
    """A room holds one game at a time. The answer has a token for each seat and one to watch: a link with a
    token is all that a person needs to sit down. Keep the tokens: no later answer repeats them.
    """
    read = parse_game(game).main_line
    rules = read.position.rules
    if rules.players < 2:
        msg = f"{rules} is a game for one: a room needs a game for two or more"
        raise CollapsiError(msg)
    text = "" if match == START else match
    first = Round(rules, 0, read_match(rules, text, 0) if match else None)
    if set(first.seats.values()) != set(range(rules.players)):
        msg = "a room cannot begin with a play-off among some of the players: play it without a room"
        raise CollapsiError(msg)
    players = read_players(seats, rules)
    return RoomWork(lambda rooms: rooms.new(read, first, players))


def read_players(text: str, rules: "RuleSet") -> "Players":
    """Read the players of a room; at least one is a person.

    >>> from collapsi import RULE_SETS
    >>> read_players("person.perfect", RULE_SETS["standard"])
    (None, <Level.PERFECT: 'perfect'>)
    """
    names = text.split(".") if text else [PERSON] * rules.players
    known = [PERSON, *Level]
    if len(names) != rules.players or PERSON not in names or not set(names) <= set(known):
        msg = (
            f"{shorten(text)} are not the players of {rules}: write {rules.players} names with dots between "
            f"them, each {PERSON} or a level of the computer, and at least one {PERSON}"
        )
        raise MalformedError(msg)
    players = tuple(None if name == PERSON else Level(name) for name in names)
    for level in filter(None, players):
        check_level(level, rules)
    return players


@question("rooms/state", summary="See a room, or wait for a change", on_site=False)
def state(
    room: RoomId,
    token: Token,
    seen: Annotated[
        str, Param("The tag of the last answer; without it nothing waits.", examples=["3.01"], max_length=40)
    ] = "",
) -> "RoomWork[models.Room]":
    """The answer comes at once if the room has changed since the answer with that tag, otherwise as soon as
    it changes, at the latest after 20 seconds. `wait` says when to ask again.
    """
    return RoomWork(lambda rooms: rooms.look(room, token, seen))


@question("rooms/move", summary="Move in a room", method="POST", on_site=False)
def move(
    room: RoomId,
    token: Token,
    version: Version,
    move: Annotated[str, Param("The move.", examples=["a2"], max_length=10)],
) -> "RoomWork[models.Room]":
    """A move is refused (status 409) unless `version` is that of the room and the seat of the token is to
    move. The same move for the same version may be sent again: it is played once.
    """
    return RoomWork(lambda rooms: rooms.move(room, token, version, move))


@question("rooms/round", summary="Deal again in a room", method="POST", on_site=False)
def next_round(
    room: RoomId,
    token: Token,
    version: Version,
    match: Annotated[
        bool | None, Param("Begin a match, or end it; by default it goes on, if there is one.")
    ] = None,
) -> "RoomWork[models.Room]":
    """A new deal, in which another player begins. Possible before the first move, and once the round is
    over.
    """
    return RoomWork(lambda rooms: rooms.next_round(room, token, version, match))


@question("rooms/restore", summary="Make a room again after a restart", method="POST", on_site=False)
def restore(
    token: Token,
    sealed: Annotated[
        str,
        Param(
            "`sealed` of the last answer: the game so far, signed by the service.",
            examples=["…"],
            max_length=MOST_SEALED,
        ),
    ],
) -> "RoomWork[models.Room]":
    """A service that was restarted, or that has dropped an unused room, makes the room again from what it
    signed. If it has the room, the later state stays, which has the higher version.
    """
    return RoomWork(lambda rooms: rooms.restore(token, sealed))
