"""The deal of the day: fixed by its date, won by red, and a result text that reveals no move."""

from __future__ import annotations

import json
import random
import re
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import urlencode

import pytest

from collapsi import CollapsiError, IllegalMoveError, MalformedError, Player, analyse, format_position
from collapsi.api import json_types
from collapsi.games.registry import kind_named
from collapsi.play.daily import LEVEL, DailyGame, deal_of, latest_day, parse_date, parse_open_date, today
from collapsi.play.enums import Mark
from collapsi.play.levels import liked_moves
from collapsi.site import answering
from tests.fitting import fitting
from tests.typed import answered, ok, refused, run


@pytest.fixture(scope="module", autouse=True)
def _solver() -> None:
    """Many games are solved here: with the compiled solver."""
    kind_named("classic").solver.warm_up()


GOLDEN = Path(__file__).parent / "golden" / "daily.txt"
SOME_DAYS = [date(2026, 1, 1) + timedelta(days=37 * number) for number in range(24)]


def played(day: date, rng: random.Random, *, well: bool) -> DailyGame:
    """The day played to its end, by a person who plays at random or without a fault."""
    game = DailyGame.start(day)
    while not game.over:
        position = game.game.position
        if game.to_move is Player.BLUE:
            game = game.play(game.reply)
        else:
            game = game.play(analyse(position).best[0] if well else rng.choice(position.moves))
    return game


def transcript() -> str:
    """Deals of some days, and games of them: what must never change."""
    lines = []
    for number, day in enumerate(SOME_DAYS):
        game = played(day, random.Random(0), well=True) if number % 2 else stumbling(day)
        lines.append(f"{game.game.text}\n{game.result}\n")
    return "\n".join(lines)


def stumbling(day: date) -> DailyGame:
    """The day played by somebody who always takes the first move in reading order."""
    game = DailyGame.start(day)
    while not game.over:
        game = game.play(game.reply if game.to_move is Player.BLUE else game.game.position.moves[0])
    return game


def test_days_stay_what_they_are() -> None:
    """If this fails, people with another version have another deal: mend the code, never the file."""
    assert transcript() == GOLDEN.read_text(encoding="utf-8")


def test_every_day_can_be_won() -> None:
    for day in SOME_DAYS:
        dealt = deal_of(day)
        assert dealt.dealt
        assert dealt.to_move is Player.RED
        assert analyse(dealt).winner is Player.RED
        assert played(day, random.Random(1), well=True).won
    assert len({format_position(deal_of(day)) for day in SOME_DAYS}) == len(SOME_DAYS)


def test_the_opponent_is_beatable_but_not_silly() -> None:
    """It keeps to its level, and answers the same play with the same moves."""
    rng = random.Random(2)
    lost = 0
    for day in SOME_DAYS:
        game = played(day, rng, well=False)
        lost += not game.won
        again = DailyGame.start(day)
        for move in game.game.moves:
            if again.to_move is Player.BLUE:
                assert again.reply == move
                assert move in liked_moves(again.game.position, LEVEL)
            again = again.play(move)
    assert 0 < lost < len(SOME_DAYS)


def test_all_deals_are_equally_likely() -> None:
    """The jacks of many draws are everywhere about as often."""
    from collapsi.core.cards import Card
    from collapsi.play.daily import _shuffled

    counts = [0] * 16
    for number in range(1600):
        for cell, card in enumerate(_shuffled(f"test {number}").cards):
            counts[cell] += card is Card.JACK
    assert sum(counts) == 3200
    assert all(140 < count < 260 for count in counts)  # 200 each, give or take four standard deviations


def test_marks_say_how_good_each_move_was() -> None:
    rng = random.Random(3)
    seen: set[Mark] = set()
    for day in SOME_DAYS:
        game = played(day, rng, well=False)
        expected = []
        for position, move in zip(game.game.positions, game.game.moves, strict=False):
            if position.to_move is not Player.RED:
                continue
            could = analyse(position).winner is Player.RED
            can = analyse(position.play(move)).winner is Player.RED
            expected.append(Mark.LOST if not could else Mark.KEPT if can else Mark.THREW)
        assert game.marks == tuple(expected)
        seen |= set(game.marks)
        assert (game.marks[-1] is Mark.KEPT) == game.won
    assert seen == set(Mark)


def test_the_result_gives_nothing_away() -> None:
    for day in SOME_DAYS[:6]:
        for well in (True, False):
            game = played(day, random.Random(4), well=well)
            moves = sum(1 for number in range(0, len(game.game.moves), 2))
            how = "won" if game.won else "lost"
            assert re.fullmatch(
                rf"Collapsi {day.isoformat()}: {how} in {moves} moves? [●✗○]{{{moves}}}", game.result
            )
            assert not re.search(r"\b[a-d][1-4]\b", game.result)


@pytest.mark.parametrize(
    "text", ["", "2026-13-01", "2026-02-30", "20261002", "2026-W40-5", "today", "\uff12026-10-02"]
)
def test_what_is_no_date_is_named(text: str) -> None:
    with pytest.raises(MalformedError, match=r"is no date: write year, month and day, such as 2026-10-02"):
        parse_date(text)


def test_a_deal_of_the_future_is_refused() -> None:
    """By the command line after the local date, by the API after the latest date anywhere on Earth."""
    assert today() <= latest_day() <= today() + timedelta(days=2)
    for ahead in (0, 1, 400):
        day = latest_day() + timedelta(days=ahead)
        text = day.isoformat()
        if not ahead:
            assert parse_open_date(text, latest_day()) == day
            continue
        with pytest.raises(CollapsiError, match=f"the deal of {text} is not open yet: come back"):
            parse_open_date(text, latest_day())
    later = (today() + timedelta(days=2)).isoformat()  # tomorrow may begin while this runs
    assert f"the deal of {later} is not open yet" in refused("play", "--daily", "--date", later)
    assert f"the deal of {later} is not open yet" in refused("play", "--daily", "--date", later, "--json")


def test_nobody_moves_for_the_person() -> None:
    game = DailyGame.start(date(2026, 10, 2))
    with pytest.raises(IllegalMoveError, match="it is red's turn"):
        _ = game.reply
    over = stumbling(date(2026, 10, 2))
    with pytest.raises(IllegalMoveError, match="the game is over"):
        _ = over.reply


@pytest.mark.parametrize("well", [True, False])
def test_the_day_is_played_in_the_terminal(*, well: bool) -> None:
    day = date(2026, 10, 2)
    game = played(day, random.Random(5), well=well)
    mine = [move for move, number in zip(game.game.squares, range(100), strict=False) if number % 2 == 0]
    typed = "help\nmoves\nz9\n" + "\n".join(mine) + "\n"
    done = run("play", "--daily", "--date", day.isoformat(), stdin=typed.encode())
    assert done.stderr == b""
    said = answered(done)
    assert f"the deal of 2026-10-02: {format_position(deal_of(day))}" in said
    assert "'z9' is no square" in said
    assert f"\n{game.result}\n" in said
    assert said.endswith(f"game: {game.game.text}\n")
    assert ("you have won" in said) == well


def test_the_day_as_data() -> None:
    said = ok("play", "--daily", "--date", "2026-10-02", "--json")
    assert json.loads(said) == DailyGame.start(date(2026, 10, 2)).to_json()
    moves: list[str] = []
    day = DailyGame.start(date(2026, 10, 2))
    while not day.over:
        move = day.reply if day.to_move is Player.BLUE else analyse(day.game.position).best[0]
        day = day.play(move)
        moves.append(day.game.squares[-1])
        answer = answering.answer("daily", urlencode({"date": "2026-10-02", "moves": " ".join(moves)}))[2]
        data = fitting(json_types.DailyGame, answer)
        assert data == json.loads(json.dumps(day.to_json()))
        assert (data["over"], data["game"]) == (day.over, day.game.text)
        assert (data["reply"] is None) == (day.over or day.to_move is Player.RED)
    assert data["won"]
    assert data["result"].startswith("Collapsi 2026-10-02: won in")
    before = today()
    data = json.loads(ok("play", "--daily", "--json"))
    assert before.isoformat() <= data["date"] <= today().isoformat()
