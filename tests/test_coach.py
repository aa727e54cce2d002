"""Every reason that the coach gives is true, and none that is more concrete would have been."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from collapsi import CHOICE, JOKER, STANDARD, Game, Verdict, analyse, analyse_many, deal, parse_rules, review
from collapsi.core.state import abbreviate
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.registry import kind_named
from collapsi.play.coach import most_tempting, why_best
from tests import naive, naive_shift
from tests.claims import Claims
from tests.twins import twins_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi import Analysis, Rules
    from collapsi.core.rules import RuleSet
    from collapsi.play.review import JudgedMove

THROWN = {"at once", "forced", "next cards", "card of rules", "calculation"}
BEST = {"only move", "every move", "others lose"}


def random_game(rng: random.Random, rules: RuleSet) -> Game[Any]:
    game = Game.start(deal(rng, rules))
    while game.position.moves:
        game = game.play(rng.choice(game.position.moves))
    return game


def thrown(rng: random.Random, rules: Rules) -> Iterator[JudgedMove]:
    """Moves that threw a win away, without end."""
    while True:
        yield from review(random_game(rng, rules)).turning_points


def check_thrown(rng: random.Random, rules: Rules, count: int) -> Counter[str]:
    """Check what is said of so many of them; how often each kind of reason was given."""
    kinds: Counter[str] = Counter()
    for _, move in zip(range(count), thrown(rng, rules), strict=False):
        assert move.why is not None
        kind = Claims(move.before.position).check_thrown(move.to, str(move.why))
        assert kind == move.why.kind
        kinds[kind] += 1
    return kinds


def check_best(rng: random.Random, rules: Rules, count: int) -> Counter[str]:
    """The same for the best moves of positions of random games."""
    kinds: Counter[str] = Counter()
    while kinds.total() < count:
        for solved in analyse_many(random_game(rng, rules).positions[:-1]):
            why = why_best(solved)
            assert why is not None
            kind = Claims(solved.position).check_best(str(why))
            assert kind == why.kind
            kinds[kind] += 1
    return kinds


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Thousands of positions: not interpreted."""
    kind_named("classic").solver.warm_up()


@pytest.mark.slow
def test_no_sentence_is_false_in_a_hundred_thousand() -> None:
    for rules, count in ((STANDARD, 40_000), (JOKER, 5_000), (CHOICE, 5_000)):
        kinds = check_thrown(random.Random(100), rules, count)
        print(rules, "thrown away", kinds)
        assert set(kinds) == THROWN
        kinds = check_best(random.Random(101), rules, count)
        print(rules, "best", kinds)
        assert set(kinds) == {*THROWN, *BEST}


@pytest.mark.parametrize("rules", CLASSIC_RULE_SETS.values(), ids=str)
def test_no_sentence_is_false(rules: Rules) -> None:
    rng = random.Random(17)
    count = 400 if rules is STANDARD else 150
    assert set(check_thrown(rng, rules, count)) == THROWN
    assert set(check_best(rng, rules, count)) == {*THROWN, *BEST}


def test_false_sentences_are_noticed() -> None:
    """Numbers, colours and counted squares changed in true sentences: the check must not believe any."""
    rng = random.Random(4)
    changed = 0
    for _, move in zip(range(60), thrown(rng, STANDARD), strict=False):
        assert move.why is not None
        said = str(move.why)
        squares = "[a-d][1-4]|" if move.why.kind == "next cards" else ""  # other lines may be as good
        for found in re.finditer(rf"\b(?:{squares}\d+|red|blue)\b", said):
            for other in {"a1", "c3", "1", "2", "4", "9", "red", "blue"} - {found[0]}:
                false = said[: found.start()] + other + said[found.end() :]
                with pytest.raises(AssertionError):
                    Claims(move.before.position).check_thrown(move.to, false)
                changed += 1
    assert changed > 1000


@pytest.mark.parametrize("rules", ["standard", "choice", "shift-box"])
def test_reason_verdict_and_position_count_alike(rules: str) -> None:
    """A number of plies in a verdict or reason is that of the position after the move."""
    rng = random.Random(6)
    counted = 0
    for _ in range(12):
        for move in review(random_game(rng, parse_rules(rules))).moves:
            mine, _, better = str(move).partition(": ")
            if move.verdict is Verdict.BEST:
                mine, better = better, ""
            numbers = re.findall(r"in (\d+) more", mine) + re.findall(r"in (\d+) more", str(move.why or ""))
            assert {int(number) for number in numbers} <= {move.after.plies}
            best = move.before.position.play(move.before.best[0])
            assert {int(number) for number in re.findall(r"in (\d+) more", better)} <= {analyse(best).plies}
            counted += len(numbers)
    assert counted > 30


def test_other_moves_have_no_reason() -> None:
    rng = random.Random(5)
    for _ in range(20):
        for move in review(random_game(rng, STANDARD)).moves:
            assert (move.why is not None) == (move.verdict is Verdict.THREW_AWAY)
            assert move.to_json()["why"] == (move.why and {"kind": move.why.kind, "text": move.why.text})


def test_a_game_that_is_over_has_no_best_move() -> None:
    assert why_best(analyse("..../.2r../.Ab../.... r")) is None


def naive_tempting(solved: Analysis) -> str | None:
    """The most tempting move, worked out from the values of all moves and the naive twins after them."""
    values = {move.name: (move.winner, move.plies) for move in solved.moves}
    worse = {name for name, (winner, _) in values.items() if winner is not solved.winner}
    worse = worse or {name for name, value in values.items() if value != (solved.winner, solved.plies)}
    replies: dict[str, tuple[int, int]] = {}
    for name, twin in twins_after(solved.position).items():
        ends = naive_shift.ends(naive_shift.read(twin)) if isinstance(twin, str) else naive.ends(twin)
        winner, plies = values[name]
        replies[name] = len(ends), plies if winner is solved.position.to_move else -plies
    order = [name for name in values if name in worse]  # of equal ones the first
    return min(order, key=replies.__getitem__, default=None)


@pytest.mark.parametrize(
    ("rules", "games"), [("standard", 12), ("joker", 6), ("choice", 6), ("shift-box", 3)]
)
def test_the_most_tempting_move_and_what_it_runs_into(rules: str, games: int) -> None:
    rng = random.Random(8)
    seen: Counter[str] = Counter()
    for _ in range(games):
        for solved in analyse_many(random_game(rng, parse_rules(rules)).positions[:-1]):
            found = most_tempting(solved)
            expected = naive_tempting(solved)
            if found is None:
                assert expected is None
                assert set(solved.best) == {move.name for move in solved.moves}
                seen["none"] += 1
                continue
            assert found.move.name == expected
            me, they = solved.position.to_move, solved.position.to_move.other
            after = analyse(solved.position.play(found.move.move))
            (cards,) = re.findall(rf"leaves {they} (\d+) cards? to go to", str(found))
            assert int(cards) == len({after.position.end(move) for move in after.position.moves})
            assert f"wins in {after.plies} more pl" in str(found)
            data = found.to_json()
            assert data["line"] == list(after.line)
            assert (data["winner"], data["plies"]) == (str(found.move.winner), found.move.plies)
            if solved.winner is me and after.winner is they:
                assert re.search(
                    rf"but {they} answers {after.line[0]} and wins in \d+ more pl\w+$", str(found)
                )
                seen["loses"] += 1
            elif solved.winner is me:
                assert str(found).endswith(f", later than {' or '.join(abbreviate(solved.best))}")
                assert after.plies >= solved.plies
                seen["later"] += 1
            else:
                assert str(found).endswith(f", sooner than after {' or '.join(abbreviate(solved.best))}")
                assert found.move.plies < solved.plies
                seen["sooner"] += 1
    assert set(seen) >= {"none", "loses", "sooner"}
    assert "later" in seen or rules == "shift-box", "seldom there"
