"""Similar deals: the stored table against the solver and the census, and counting against its definition."""

from __future__ import annotations

import json
import random
from base64 import b85encode
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

import collapsi
from collapsi.census.atlas import frame_of
from collapsi.census.lengths import take_census
from collapsi.census.similar import count_similar
from collapsi.census.similar_table import pack
from collapsi.core.cards import Card
from collapsi.core.decks import deck_of
from collapsi.core.players import Player
from collapsi.core.symmetry import symmetries
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.position import Position
from collapsi.games.classic.symmetry import transform
from collapsi.play.analysis import analyse_many
from collapsi.play.enums import Place
from collapsi.play.similar import (
    FILE,
    PLACES,
    FirstMoves,
    SimilarDeals,
    Surroundings,
    all_surroundings,
    place_of,
    similar_deals,
    sort_moves,
    surroundings_of,
    tables,
)
from tests.typed import ok, refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.games.classic.rules import Rules
    from collapsi.play.similar import Table

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
STORED = ("standard", "joker")
SMALL = "1,2|1@11,1,1,1"


def steps(deal: Position, start: int) -> dict[int, int]:
    """The twin of distances: how many steps each cell is away, found by walking."""
    found, edge = {start: 0}, [start]
    while edge:
        cell = edge.pop(0)
        for there in deal.board.neighbours(cell):
            if there not in found:
                found[there] = found[cell] + 1
                edge.append(there)
    return found


def described(deal: Position) -> tuple[Surroundings, dict[int, Place]]:
    """The twin of `surroundings_of` and `place_of`, by the definition."""
    near = [{cell for cell, far in steps(deal, jack).items() if far == 1} for jack in deal.pawns]
    cells = {
        Place.BOTH: near[0] & near[1],
        Place.OWN: near[0] - near[1],
        Place.OTHER: near[1] - near[0],
        Place.NEITHER: set(range(16)) - near[0] - near[1],
    }
    both, red, blue = (
        tuple(sorted(card for cell in cells[place] if (card := deal.cards[cell])))
        for place in (Place.BOTH, Place.OWN, Place.OTHER)
    )
    group = Surroundings(steps(deal, deal.pawns[0])[deal.pawns[1]], both, red, blue)
    return group, {cell: place for place, those in cells.items() for cell in those}


def counted(
    deals: Iterable[tuple[Position, int, dict[int, int]]],
) -> dict[Surroundings, tuple[int, int, dict[tuple[Place, Card], tuple[int, int]]]]:
    """The twin of the count: deals with their weights and the scores of their first moves."""
    totals: dict[Surroundings, Counter[Any]] = {}
    for deal, weight, scores in deals:
        group, places = described(deal)
        total = totals.setdefault(group, Counter())
        best = max(scores.values())
        total["deals"] += weight
        total["wins"] += weight * (best > 0)
        kinds: dict[tuple[Place, Card], int] = {}
        for cell, score in scores.items():
            card = deal.cards[cell]
            assert card is not None
            kinds[places[cell], card] = max(score, kinds.get((places[cell], card), -99))
        for kind, score in kinds.items():
            total[kind, "best"] += weight * (score == best)
            total[kind, "wins"] += weight * (score > 0)
    return {
        group: (
            total["deals"],
            total["wins"],
            {
                name[0]: (total[name[0], "best"], total[name[0], "wins"])
                for name in total
                if isinstance(name, tuple)
            },
        )
        for group, total in totals.items()
    }


def plain(found: SimilarDeals) -> tuple[int, int, dict[tuple[Place, Card], tuple[int, int]]]:
    """A count in the form of its twin."""
    moves = {(move.place, move.card): (move.best, move.wins) for move in found.moves}
    return found.deals, found.wins, moves


def solved(deals: list[Position]) -> Iterable[tuple[Position, int, dict[int, int]]]:
    """Deals with the scores of their first moves by the solver."""
    for deal, analysis in zip(deals, analyse_many(deals), strict=True):
        yield deal, 1, {move.cell: move.score for move in analysis.moves}


def all_deals(group: Surroundings, rules: Rules) -> list[Position]:
    """Every deal of a group with the jacks on two cells."""
    blue = next(
        cell for cell, far in steps(collapsi.parse_position(EXAMPLE), 0).items() if far == group.distance
    )
    cells = {place: [cell for cell in range(16) if place_of(cell, (0, blue)) is place] for place in Place}
    cells[Place.NEITHER] = [cell for cell in cells[Place.NEITHER] if cell not in (0, blue)]
    rest = [
        card
        for card, count in zip(list(Card)[1:], group.rest(deck_of(rules)), strict=True)
        for _ in range(count)
    ]
    boards: list[dict[int, Card]] = [{0: Card.JACK, blue: Card.JACK}]
    for place, cards in (*group.parts.items(), (Place.NEITHER, tuple(rest))):
        ways = set(permutations(cards))
        boards = [board | dict(zip(cells[place], way, strict=True)) for board in boards for way in ways]
    return [
        Position(tuple(board[cell] for cell in range(16)), (0, blue), Player.RED, rules) for board in boards
    ]


def table(name: str) -> Table:
    """The stored table of a rule set."""
    return tables()[classic_rules(name).first_walks]


def test_surroundings_are_those_of_the_definition_in_any_orientation() -> None:
    rng = random.Random(1)
    for _ in range(40):
        deal = collapsi.deal(rng)
        group, places = described(deal)
        assert surroundings_of(deal) == group
        assert {cell: place_of(cell, deal.pawns) for cell in range(16)} == places
        assert surroundings_of(transform(deal, rng.choice(symmetries(deal.board)))) == group


def test_counting_in_an_atlas_is_counting_deal_by_deal() -> None:
    frame = frame_of(take_census(classic_rules(SMALL)))
    names = {name: collapsi.STANDARD.board.cell(name[3:]) for name in frame.columns if name.startswith("to_")}
    rows = [
        (
            collapsi.parse_position(row["deal"]),
            row["weight"],
            {cell: row[name] for name, cell in names.items() if cell is not None and row[name] is not None},
        )
        for row in frame.iter_rows(named=True)
    ]
    found = count_similar(frame)
    assert {group: plain(similar) for group, similar in found.items()} == counted(rows)
    assert {similar.all_deals for similar in found.values()} == {sum(weight for _, weight, _ in rows)}
    for group in list(found)[::25]:
        assert count_similar(frame, only=group) == {group: found[group]}
        assert found[group].deals == group.layouts((11, 1, 1, 1)) * PLACES[group.distance]


@pytest.mark.parametrize("name", STORED)
def test_the_stored_counts_are_those_of_the_solver(name: str) -> None:
    rules = classic_rules(name)
    few = [group for group in all_surroundings(deck_of(rules)) if 12 <= group.layouts(deck_of(rules)) <= 150]
    for group in random.Random(2).sample(few, 6):
        deals, wins, moves = counted(solved(all_deals(group, rules)))[group]
        places = PLACES[group.distance]
        expected = {kind: (best * places, won * places) for kind, (best, won) in moves.items()}
        assert plain(table(name).find(group)) == (deals * places, wins * places, expected), group


@pytest.mark.parametrize(("name", "wins"), [("standard", 36_752_487), ("joker", 17_721_000)])
def test_the_stored_counts_add_up_to_the_census(name: str, wins: int) -> None:
    found = [table(name).find(group) for group in all_surroundings(deck_of(classic_rules(name)))]
    assert sum(similar.deals for similar in found) == 47_297_250
    assert sum(similar.wins for similar in found) == wins
    for similar in found:
        assert (similar.all_deals, similar.all_wins) == (47_297_250, wins)
        assert max(move.wins for move in similar.moves) <= similar.wins <= similar.deals
        assert sum(move.wins for move in similar.moves) >= similar.wins
        assert sum(move.best for move in similar.moves) >= similar.deals
    assert FILE.stat().st_size < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("name", [*STORED, "choice"])
def test_the_stored_counts_are_those_of_the_census(name: str) -> None:
    rules = classic_rules(name)
    found = count_similar(frame_of(take_census(rules)))
    assert {group: table(name).find(group) for group in found} == found
    if name in STORED:
        assert json.loads(FILE.read_text(encoding="utf-8"))[name] == b85encode(pack(rules, found)).decode()


def test_the_place_of_a_first_move_is_named_where_there_are_several() -> None:
    rng = random.Random(4)
    seen = set()
    for _ in range(20):
        deal = collapsi.deal(rng)
        found = similar_deals(deal)
        texts = [found.describe(move) for move in found.moves]
        assert len(set(texts)) == len(texts), "each group can be told from the others"
        for move, text in zip(found.moves, texts, strict=True):
            assert (move.place.text in text) == (found.surroundings.distance == 2)
        seen.add(found.surroundings.distance)
    assert seen >= {1, 2, 3}


def test_of_first_moves_that_are_equally_often_best_the_winning_one_is_first() -> None:
    ordered = [
        FirstMoves(Place.OTHER, Card.ACE, 9, 1),
        FirstMoves(Place.BOTH, Card.ACE, 5, 4),
        FirstMoves(Place.OWN, Card.TWO, 5, 3),
        FirstMoves(Place.NEITHER, Card.ACE, 5, 3),
        FirstMoves(Place.OWN, Card.FOUR, 1, 9),
    ]
    assert sort_moves(reversed(ordered)) == tuple(ordered)


def test_choice_has_the_counts_of_joker() -> None:
    joker, choice = (collapsi.parse_position(f"{EXAMPLE} {name}") for name in ("joker", "choice"))
    assert similar_deals(choice) == similar_deals(joker)


def test_the_command_shows_what_the_library_finds(tmp_path: Any) -> None:
    deal = collapsi.parse_position(EXAMPLE)
    found = similar_deals(deal)
    assert json.loads(ok("atlas", "similar", EXAMPLE, "--json")) == found.to_json(deal)
    assert found.text in ok("atlas", "similar", EXAMPLE)
    turned = transform(deal, symmetries(deal.board)[77])
    assert found.text in ok("atlas", "similar", turned.text)
    folder = tmp_path / "atlas"
    ok("census", "--rules", SMALL, "--out", str(folder))
    small = collapsi.deal(random.Random(3), classic_rules(SMALL))
    atlas = collapsi.Atlas(folder)
    said = json.loads(ok("atlas", "similar", small.text, "--atlas", str(folder), "--json"))
    assert said == atlas.similar(small).to_json(small)
    assert said["all_deals"] == atlas.manifest["deals"]


@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        (f"{EXAMPLE} a2", "is not a whole deal: some cards have collapsed"),
        ("A223/4A2Jr/3A23/Jb3A4 r shift", "counting similar deals is not supported for shift: use standard"),
        (f"{EXAMPLE} 1,3|2", "not supported for 1,3|2: use standard, joker or choice"),
        ("AA23/4A2Jr/3A23/Jb3A4 r standard@5,4,3,2", "it needs the official deck"),
        ("AA2/JrJb3/323/4AA r joker@4x3", "it needs the 4×4 board"),
    ],
)
def test_deals_without_counts_are_refused(deal: str, reason: str) -> None:
    assert reason in refused("atlas", "similar", deal)
