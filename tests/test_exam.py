"""The exam: its questions are held out and as described, marks are exact, and programs may misbehave."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import collapsi
from collapsi.api import json_types
from collapsi.batch.positions import PositionBatch
from collapsi.cli import exam as exam_command
from collapsi.cli import run as run_here
from collapsi.core.errors import CollapsiError
from collapsi.games.levels import Level
from collapsi.play.enums import PuzzleKind
from collapsi.play.strategy import measure
from collapsi.play.strategy.samples import TENTHS, Split, class_codes, tenth_of
from collapsi.study.dataset import games
from collapsi.study.dataset.plan import DatasetPlan, Source, SplitPart
from collapsi.study.exam import asked, drawing, programs
from collapsi.study.exam.marking import keeps_win, length_lost, level_answers, mark
from collapsi.study.exam.programs import ProgramError, ask_program
from collapsi.study.exam.questions import DIFFICULTIES, PHASES, Question, load_questions
from collapsi.study.plan import Part
from tests.fitting import fitting
from tests.service import HANG_SECONDS
from tests.typed import run

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi.study.exam.marking import ExamResult

QUESTIONS = load_questions()
FEW = [question.position for question in QUESTIONS[::400]]


# Questions


def test_questions_are_balanced_by_phase_and_difficulty() -> None:
    assert Counter((question.phase, question.difficulty) for question in QUESTIONS) == drawing.QUOTAS
    won = [question for question in QUESTIONS if question.is_won]
    assert Counter(question.phase for question in won) == dict.fromkeys(PHASES, 240)
    assert Counter(question.difficulty for question in won) == dict(
        zip(DIFFICULTIES, (180, 180, 180, 420), strict=True)
    )
    assert PHASES == measure.PHASES


def test_questions_leave_a_choice() -> None:
    for question in QUESTIONS:
        wins = {move.wins for move in question.analysis.moves}
        if question.is_won:
            assert wins == {True, False}
        else:
            assert wins == {False}
            assert len({move.plies for move in question.analysis.moves}) > 1


def test_questions_come_from_different_deals_that_are_held_out() -> None:
    deals = [question.game.positions[0] for question in QUESTIONS]
    assert all(deal.dealt for deal in deals)
    cards = np.array([deal.cards for deal in deals], np.uint8)
    roots = np.array([(0xFFFF, *deal.pawns, 0) for deal in deals], np.int64)
    codes = class_codes(PositionBatch(collapsi.STANDARD, cards, roots))
    assert set(tenth_of(codes).tolist()) == set(TENTHS[Split.FRESH])
    assert len(set(codes.tolist())) == len(QUESTIONS)


def test_difficulty_is_how_far_a_player_must_look_ahead() -> None:
    """A player that looks so far never errs; one that looks less far does."""
    for kind, level, sight in ((PuzzleKind.EASY, Level.TWO, 2), (PuzzleKind.MEDIUM, Level.FOUR, 4)):
        assert sight == kind.least + 1
        result = examined(level)
        assert result.difficulties[kind].share == 1
        harder = DIFFICULTIES[DIFFICULTIES.index(kind) + 1]
        assert result.difficulties[harder].share < 0.6


def leaves_a_choice(question: Question) -> bool:
    """Whether a win can be lost, or a loss hastened."""
    moves = question.analysis.moves
    return {move.wins for move in moves} == {True, False} or (
        not any(move.wins for move in moves) and len({move.plies for move in moves}) > 1
    )


def test_a_drawn_question_is_the_end_of_its_game_with_its_phase_and_difficulty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of every position of some games the question itself is the twin."""
    monkeypatch.setattr(games, "GAMES", 30)
    plan, task = DatasetPlan("standard", 3, 200, 200), SplitPart("test", Part(0, 0, 200))
    played = games.positions_of(plan, task, (Source.RANDOM, Source.SLIPS))
    strata = dict(drawing._strata(played))
    analyses = collapsi.analyse_many([played.states.position(index) for index in range(200)])
    for index, analysis in enumerate(analyses):
        game = drawing._game(played, index)
        question = Question(game, analysis)
        assert (game.position, game.positions[0].dealt) == (analysis.position, True)
        expected = (question.phase, question.difficulty) if leaves_a_choice(question) else None
        assert strata.get(index) == expected
    assert len(strata) < 150
    assert {kind for _, kind in strata.values()} == {*DIFFICULTIES, None}


def test_so_many_questions_are_drawn_as_are_wanted_each_from_another_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawing, "PART", Part(0, 0, 3000))
    monkeypatch.setattr(drawing, "QUOTAS", dict.fromkeys(drawing.QUOTAS, 2))
    drawn = [collapsi.parse_game(text) for text in drawing.draw_questions()]
    analyses = collapsi.analyse_many([game.position for game in drawn])
    questions = [Question(game, analysis) for game, analysis in zip(drawn, analyses, strict=True)]
    assert Counter((question.phase, question.difficulty) for question in questions) == drawing.QUOTAS
    assert len({game.positions[0].symmetry_class for game in drawn}) == len(drawn)


@pytest.mark.slow
def test_the_questions_are_those_that_are_drawn() -> None:
    kept = files("collapsi.study.exam").joinpath("questions.txt").read_text("utf-8")
    assert drawing.draw_questions() == kept.splitlines()


# Marks


def examined(level: Level) -> ExamResult:
    return mark(level.value, QUESTIONS, level_answers(level, QUESTIONS, 1))


def test_marks_are_those_of_the_solver_after_the_move() -> None:
    """The twin plays every move and solves what follows."""
    for question in QUESTIONS[::40]:
        after = {
            move: collapsi.analyse(question.position.play(move)).outcome for move in question.position.moves
        }
        mover = question.position.to_move
        wins = {move: outcome.winner is mover for move, outcome in after.items()}
        best = max(
            ((wins[move], outcome.plies if not wins[move] else -outcome.plies)
             for move, outcome in after.items())
        )  # fmt: skip
        for move, outcome in after.items():
            assert keeps_win(question, move) == wins[move]
            lost = None if best[0] > wins[move] else abs(outcome.plies - abs(best[1]))
            assert length_lost(question, move) == lost


def test_perfect_play_and_the_opposite() -> None:
    perfect = examined(Level.PERFECT)
    assert (perfect.kept.found, perfect.kept.cases, perfect.illegal) == (960, 960, 0)
    assert perfect.length_lost is not None
    assert perfect.length_lost.value == 0
    worst = mark("worst", QUESTIONS, [question.analysis.moves[-1].move for question in QUESTIONS])
    assert worst.kept.found == 0
    assert worst.length_lost is not None  # of lost positions
    assert worst.length_lost.low > 0
    nobody = mark("nobody", QUESTIONS, [None] * len(QUESTIONS))
    assert (nobody.kept.found, nobody.illegal, nobody.length_lost) == (0, 1200, None)


def test_shares_add_up_and_levels_are_in_their_order() -> None:
    results = [
        examined(level) for level in (Level.RANDOM, Level.TWO, Level.CARD, Level.MASTER, Level.PERFECT)
    ]
    shares = [result.kept.share for result in results]
    assert shares == sorted(shares)
    for result in results:
        for rates in (result.phases, result.difficulties):
            assert sum(rate.found for rate in rates.values()) == result.kept.found
            assert sum(rate.cases for rate in rates.values()) == result.kept.cases
    chance = np.mean(
        [
            np.mean([move.wins for move in question.analysis.moves])
            for question in QUESTIONS
            if question.is_won
        ]
    )
    low, high = results[0].kept.interval
    assert low < chance < high
    assert level_answers(Level.MASTER, QUESTIONS, 1) != level_answers(Level.MASTER, QUESTIONS, 2)


# Programs


def ask(code: str, seconds: float = HANG_SECONDS) -> list[int | None]:
    """The answers of a program in Python; `lines` are the positions, `say` writes a line at once."""
    start = "import os, sys, time\nlines = sys.stdin\ndef say(text): print(text, flush=True)\n"
    return ask_program([sys.executable, "-c", start + code], FEW, name="'it'", seconds=seconds)


def firsts() -> list[int]:
    return [position.moves[0] for position in FEW]


PLAYER = """
import collapsi
def move(line):
    position = collapsi.parse_position(line)
    return position.move_text(position.moves[0])
"""


def test_programs_that_answer() -> None:
    """Line by line, or all at the end and without flushing; in capitals, with other ends of lines."""
    assert ask(PLAYER + "for line in lines: say(move(line))") == firsts()
    assert (
        ask(PLAYER + "print('\\r\\n'.join(move(line).upper() for line in list(lines)), end='')") == firsts()
    )


def test_illegal_moves_are_counted() -> None:
    """A square of the board that the pawn cannot reach: its own."""
    own = [position.board.square(position.pawns[position.to_move]) for position in FEW]
    assert ask(f"for square in {own}: say(square)") == [None] * len(FEW)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("say('hello')", "'it' answered position 1 of 3 (.*) with 'hello', not with a square"),
        ("say('')", "answered position 1 of 3 (.*) with '', not with a square such as d1"),
        ("say('e1')", "with 'e1', not with a square"),
        ("sys.stdout.buffer.write(b'\\xff\\x00\\n'); sys.stdout.flush()", "with '�.*', not with a square"),
        ("say('x' * 5000)", "with more than 1,000 characters"),
        ("while True: sys.stdout.write('x' * 5000)", "with more than 1,000 characters"),
        ("while True: say('a1')", "wrote more lines than the 3 answers, such as 'a1'"),
        ("[say('a1') for _ in range(4)]; time.sleep(1000)", "wrote more lines than the 3 answers"),
        ("say('a1'); sys.exit(3)", "'it' ended with exit code 3 instead of answering position 2 of 3"),
        ("os.kill(os.getpid(), 9)", "ended by signal 9 instead of answering position 1 of 3"),
        ("raise SystemExit", "ended with exit code 0 instead of answering position 1 of 3"),
        ("say('! no luck today')", "'it' failed: no luck today"),
    ],
)  # fmt: skip
def test_programs_that_misbehave(code: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ProgramError, match=message.replace("(", r"\(").replace(")", r"\)")) as raised:
        ask(code)
    assert "\n" not in str(raised.value)
    capfd.readouterr()  # tracebacks of broken pipes


def test_a_program_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    """The child of the program holds the pipe too, and must end too."""
    import os

    pids = tmp_path / "pids"
    code = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
say("a1")
time.sleep(1000)
"""
    said = ""
    while "position 2 of 3" not in said:  # a slow machine may not start it in time
        with pytest.raises(ProgramError) as raised:
            ask(code, 2)
        said = str(raised.value)
    assert said.endswith(f"({FEW[1].text}) within 2 seconds: does it flush its output?")
    program, child = map(int, pids.read_text().split())
    with pytest.raises(ProcessLookupError):
        os.kill(program, 0)
    deadline = time.monotonic() + HANG_SECONDS
    while is_running(child):  # the system ends it at some moment after the signal
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether a process runs; a killed one may not have been waited for by its new parent."""
    from pathlib import Path

    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_process_that_escapes_does_not_hang_the_exam(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a session of its own it survives, and holds the pipe."""
    monkeypatch.setattr(programs, "LAST_SECONDS", 0.2)
    code = """
import subprocess
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1)"], start_new_session=True)
say("a1"); say("a1"); say("a1")
"""
    assert len(ask(code)) == 3
    (reader,) = (thread for thread in threading.enumerate() if thread.name == programs.READER)
    reader.join(HANG_SECONDS)


def test_a_program_that_cannot_start(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=r"^cannot start it: No such file or directory$"):
        ask_program([str(tmp_path / "missing")], FEW, name="it", seconds=1)
    with pytest.raises(ProgramError, match=r"^cannot start it: Permission denied$"):
        ask_program([str(tmp_path)], FEW, name="it", seconds=1)
    with pytest.raises(ProgramError, match=r"^cannot start it: embedded null byte$"):
        ask_program(["\0"], FEW, name="it", seconds=1)


# Python functions and bots

MODULE = """
import collapsi, os
def number(position): return position.moves[0]
def square(position): return position.move_text(position.moves[0])
def best(position): return collapsi.analyse(position).moves[0]
def own(position): return position.pawns[position.to_move]
def prints(position):
    print("thinking", flush=True)
    return number(position)
def fails(position): raise KeyError("not\\nhere")
def dies(position): os._exit(5)
def nothing(position): return None
def outside(position): return 16
constant = 4
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of the functions is in the current folder."""
    (tmp_path / "mine.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)


def ask_function(name: str) -> list[int | None]:
    command = [sys.executable, "-m", "collapsi.study.exam.asked", name]
    return ask_program(command, FEW, name=name, seconds=HANG_SECONDS)


@pytest.mark.usefixtures("here")
def test_python_functions() -> None:
    assert (
        ask_function("mine:number") == ask_function("mine:square") == ask_function("mine:prints") == firsts()
    )
    assert ask_function("mine:best") == [collapsi.analyse(position).moves[0].move for position in FEW]
    assert ask_function("mine:own") == [None] * 3


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mine:fails", r"^mine:fails failed: KeyError: 'not\\nhere'$"),
        ("mine:dies", r"^mine:dies ended with exit code 5 instead of answering position 1 of 3"),
        ("mine:nothing", "failed: CollapsiError: returned None, not the number of an end cell or its square"),
        ("mine:outside", "failed: CollapsiError: returned 16, not"),
        ("mine:constant", "failed: CollapsiError: mine:constant is no function"),
        ("mine:missing", "failed: AttributeError: module 'mine' has no attribute 'missing'"),
        ("yours:number", "failed: ModuleNotFoundError: No module named 'yours'"),
        ("mine", "failed: CollapsiError: 'mine' does not name a function: write MODULE:FUNCTION"),
    ],
)
def test_python_functions_that_fail(name: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        ask_function(name)


@pytest.mark.parametrize("name", ["", "mine", "mine:", ":best", ":"])
def test_what_names_no_function_is_refused(name: str) -> None:
    with pytest.raises(CollapsiError, match="does not name a function: write MODULE:FUNCTION"):
        asked.load(name)


def test_squares_of_moves() -> None:
    position = FEW[0]
    assert asked.square(position, np.int64(5)) == "b2"
    for wrong in (-1, 2.0, "", [1]):
        if wrong == "":
            assert asked.square(position, wrong) == ""
        else:
            with pytest.raises(CollapsiError):
                asked.square(position, wrong)


def test_bots_of_openspiel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots.py").write_text(
        "class Bot:\n"
        "    def __init__(self, game): assert game.num_players() == 2\n"
        "    def step(self, state): return state.legal_actions()[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "collapsi.ecosystem.exam", "bots:Bot"]
    assert ask_program(command, FEW, name="bots:Bot", seconds=HANG_SECONDS) == firsts()


# The command


@pytest.mark.usefixtures("here")
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(["exam", "--python", "mine:best", "--levels", "random,perfect", "--json"]) == 0
    results: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for result in results:
        fitting(json_types.ExamResult, result)
    mine, chance, perfect = results
    assert [result["player"] for result in results] == ["mine:best", "random", "perfect"]
    assert {**mine, "player": "perfect"} == perfect
    assert chance["kept"]["share"] < 0.5
    assert chance["illegal"] == 0


def test_progress_in_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no terminal: a line from time to time, here after every position."""
    assert run("exam", "--levels", "random,1", "--json").stderr == b""
    monkeypatch.setattr("collapsi.cli.progress.LOG_SECONDS", 0.0)
    lines = run("exam", "--levels", "random,1", "--json").stderr.decode().splitlines()
    assert len(lines) == 2 * 1200
    assert lines[0] == "collapsi: exam: 0 % (random)"
    assert lines[1200] == "collapsi: exam: 50 % (1)"
    assert lines[-1] == "collapsi: exam: 99 % (1)"


@pytest.mark.usefixtures("here")
def test_the_tables_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(["exam", "--python", "mine:own", "--levels", "none"]) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines() if line.startswith("mine:own")]
    assert rows == [
        ["mine:own", "0.0", "(0.0–0.4)", "1,200"],
        ["mine:own", *("0.0", "(0–2)") * 4],
        ["mine:own", *("0.0", "(0–2)") * 3, "0.0", "(0–1)"],
    ]
    titles = [line for line in out.splitlines() if line.startswith("player")]
    assert "easy (1–2)" in titles[-1]
    assert "expert (7+)" in titles[-1]
    assert run_here(["exam", "--python", "mine:dies", "--levels", "none"]) == 2
    assert capsys.readouterr().err.startswith("collapsi: 'mine:dies' ended with exit code 5 instead of")


def test_a_bot_needs_openspiel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(exam_command, "find_spec", lambda _: None)
    assert run_here(["exam", "--bot", "bots:Bot"]) == 2
    said = 'collapsi: open_spiel is not installed: pip install "collapsi[openspiel]" brings it\n'
    assert capsys.readouterr() == ("", said)
