"""Views of a room: the JSON for one of its players or a spectator, and who is there in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.api import json_types, models
    from collapsi.service.rooms import Room


def room_json(room: Room, player: int | None, present: Sequence[bool], wait: float) -> models.Room:
    """The room as a player sees it; None is a spectator."""
    state = room.state
    match, to_move = state.round.match, state.player_to_move
    colours = {number: str(colour) for colour, number in state.round.seats.items()}
    return {
        "room": state.id,
        "you": None if player is None else player + 1,
        "version": state.version,
        "tag": tag(room, present),
        "wait": wait,
        "path": kind_of(state.position).path,
        "game": state.game.text,
        "to_move": None if to_move is None else to_move + 1,
        "match": None if match is None else match.notation,
        "round": state.round.number + 1,
        "seats": [
            {
                "seat": number + 1,
                "colour": cast("json_types.Seat | None", colours.get(number)),
                "level": level,
                "present": present[number],
            }
            for number, level in enumerate(state.players)
        ],
        "said": who_is_there(room, player, present),
        "watch": room.watch,
        "sealed": room.sealed,
    }


def tag(room: Room, present: Sequence[bool]) -> str:
    """A short text that differs whenever the players see something else."""
    return f"{room.state.version}.{''.join(str(int(each)) for each in present)}"


def who_is_there(room: Room, player: int | None, present: Sequence[bool]) -> str:
    """Who is there, in words for one of the players, or for a spectator (None)."""
    players = room.state.players
    colours = {number: str(colour) for colour, number in room.state.round.seats.items()}
    others = [number for number, level in enumerate(players) if level is None and number != player]
    has_friend = player is not None and len(others) == 1

    def names(numbers: list[int]) -> str:
        *first, last = [colours.get(each, f"player {each + 1}") for each in numbers]
        text = f"{', '.join(first)} and {last}" if first else last
        return "your friend" if has_friend else text

    watching = "You are watching. " if player is None else ""
    away = [number for number in others if not present[number]]
    late = [number for number in away if not room.has_come(number)]
    if late:
        link = "the link" if has_friend else "their link" if len(late) == 1 else "their links"
        return f"{watching}Waiting for {names(late)} to open {link}."
    if away:
        return f"{watching}{_capital(names(away))} {'is' if len(away) == 1 else 'are'} away. The game waits."
    if len(others) == 1:
        return f"{watching}{_capital(names(others))} is here."
    return f"{watching}All players are here." if others else ""


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
