"""Questions about what is offered, deals, games and boards being laid out."""

import random
from typing import TYPE_CHECKING, Annotated, Any, Literal

from collapsi.api import about, views
from collapsi.api.question import BLOCKING_SECONDS, CensusWork, OfferWork, Param, Work, question
from collapsi.api.questions.census import refuse_uncounted
from collapsi.api.questions.parameters import (
    EXAMPLE,
    GameText,
    RulesName,
    Seed,
    chosen_seed,
    read_game,
    read_rules,
    show_seconds,
)
from collapsi.core.errors import CollapsiError
from collapsi.core.players import Player
from collapsi.games.registry import deal as deal_cards
from collapsi.play.analysis import expected_seconds
from collapsi.play.dealing import deal_won_by
from collapsi.play.draft import parse_draft
from collapsi.play.match import parse_match
from collapsi.play.review import review as review_game

if TYPE_CHECKING:
    from collapsi.api import json_types, models


@question("about", summary="List what there is to choose from")
def about_service() -> "OfferWork[models.Service]":
    """The rule sets with their boards, the levels of the computer, the kinds of verdict, and how cards are
    written.
    """
    return OfferWork(about.service)


@question("deal", summary="Deal")
def deal(
    rules: RulesName = "standard",
    seed: Seed = None,
    winner: Annotated[Literal["red", "blue"] | None, Param("Who wins it under perfect play.")] = None,
    plies: Annotated[int | None, Param("Its length; needs the census.", ge=0, le=16)] = None,
    winning_moves: Annotated[
        int | None, Param("How many first moves win; needs the census.", ge=0, le=16)
    ] = None,
) -> "Work[models.Deal] | CensusWork[models.Deal]":
    """A random deal, if you like of a chosen kind; all deals of that kind are equally likely."""
    chosen, number = read_rules(rules), chosen_seed(seed)
    if plies is not None or winning_moves is not None:
        refuse_uncounted(chosen)
        wanted: dict[str, Any] = {"plies": plies, "winning_moves": winning_moves, "winner": winner}
        given = {name: value for name, value in wanted.items() if value is not None}
        return CensusWork(
            chosen.name,
            lambda census: views.deal_json(census.draw(random.Random(number), **given), number),
        )
    dealt = deal_cards(random.Random(number), chosen)
    if not winner:
        return Work(lambda: views.deal_json(dealt, number))
    seconds = expected_seconds(dealt)
    return Work(
        lambda: views.deal_json(deal_won_by(Player[winner.upper()], random.Random(number), chosen), number),
        max(seconds, BLOCKING_SECONDS),
        chosen.kind,
    )


@question("game", summary="Read a game and show one of its positions")
def game(
    game: GameText,
    rules: RulesName = "standard",
    ply: Annotated[
        int | None, Param("Show the position after this number of moves; by default after all.", ge=0, le=16)
    ] = None,
    match: Annotated[str, Param("Points of red and blue before this round.", examples=["9-4"])] = "0-0",
) -> "Work[models.Game]":
    """Read any notation: the game in ours, and of one position every square with its card, its pawn, whether
    and how the side to move can go there, and if it cannot, why.
    """
    score = parse_match(match)
    if score.winner is not None:
        msg = f"the match is over: {score.winner} has {max(score.red, score.blue)} points"
        raise CollapsiError(msg)
    read = read_game(game, rules=rules)
    dealt = read.positions[0].dealt  # otherwise the faults of the position are searched for
    seconds = show_seconds(read) + (0.0 if dealt else BLOCKING_SECONDS)
    return Work(lambda: views.game_json(read, ply, score), seconds)


@question("edit", summary="Lay out a board")
def edit(
    draft: Annotated[
        str, Param("The board so far: a position, where pawns may be missing.", examples=[EXAMPLE])
    ],
    lay: Annotated[str | None, Param("Lay this: A, 2, 3, 4, J, . (collapsed), r or b (a pawn).")] = None,
    square: Annotated[
        str | None, Param("Where to lay it; without a square a card is laid everywhere.")
    ] = None,
    side: Annotated[str | None, Param("Give this side the turn: r or b.")] = None,
    rules: Annotated[str | None, Param("Change to these rules.", examples=["joker"])] = None,
) -> "Work[models.Draft]":
    """The board after a change, and whether it is a position: what is missing, or why it cannot arise in
    play.
    """
    changed = parse_draft(draft)
    if rules is not None:
        changed = changed.under(rules)
    if side is not None:
        changed = changed.give_turn(side)
    if lay is not None:
        changed = changed.lay(lay, square)
    try:
        dealt = changed.position().dealt
    except CollapsiError:
        dealt = True  # what is no position has no faults to search for
    return Work(lambda: views.draft_json(changed), 0.0 if dealt else BLOCKING_SECONDS)


@question("review", summary="Review a game")
def review(game: GameText, rules: RulesName = "standard") -> "Work[json_types.Review]":
    """Who was winning at every moment, where the game turned and why, and a verdict on every move."""
    read = read_game(game, rules=rules)
    seconds = max(sum(map(expected_seconds, read.positions)), BLOCKING_SECONDS)
    return Work(lambda: review_game(read).to_json(), seconds, read.position.rules.kind)
