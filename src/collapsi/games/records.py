r"""Game files: several games in one text, each with tags.

A game in a file is some tags, one a line, and the game in notation (`collapsi.core.movetext`)::

    [Event "Club evening"]
    [Date "2026-11-18"]
    [Red "Anna"]
    [Blue "computer (card)"]
    [Rules "standard"]
    [Result "0-7"]

    A223/4A2Jr/3A23/Jb3A4 r d1 a3 (d4! {better} b2) b4

Reading is lenient: tags are optional and may have any name, a game may go on over several lines, and a line
that begins with a position begins a game, so a file with one game a line is a game file too. A game with an
error is left out and reported with its line; the other games are read.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Generic

from collapsi.core.errors import CollapsiError, MalformedError, OutputError, wrong_type
from collapsi.core.game import Game
from collapsi.core.movetext import LONGEST_TREE
from collapsi.core.rows import shorten
from collapsi.core.state import StateT
from collapsi.core.variations import clean_comment
from collapsi.games.registry import parse_game, parse_rules
from collapsi.system.files import append, read_file, reporting_write_errors, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TAGS = ("Event", "Date", "Red", "Blue", "Green", "Yellow", "Rules", "Result")
"""The usual tags, in the order in which they are written; other tags follow them."""

UNFINISHED = "*"
"""The result of a game that is not over."""

MOST_BYTES = 4_000_000
"""The most bytes of a game file."""

MOST_GAMES = 10_000
"""The most games in a file."""

MOST_TAGS = 64
"""The most tags of a game."""

MOST_DAMAGE = 1_000
"""The most errors that are reported for a file."""

_TAG = re.compile(r'\[\s*([A-Za-z]\w{0,39})\s+"((?:[^"\\]|\\.)*)"\s*\]\s*', re.ASCII)
_NAME = re.compile(r"[A-Za-z]\w{0,39}", re.ASCII)


@dataclass(frozen=True)
class GameRecord(Generic[StateT]):
    """A game with its tags.

    >>> game = parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 a3")
    >>> print(GameRecord.of(game, Red="Anna", Date="2026-11-18"))
    [Date "2026-11-18"]
    [Red "Anna"]
    [Rules "standard"]
    [Result "*"]
    <BLANKLINE>
    A223/4A2Jr/3A23/Jb3A4 r d1 a3
    """

    game: Game[StateT]
    tags: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.game, Game):
            raise wrong_type(self.game, "a game, such as collapsi.parse_game(text)")
        if len(self.tags) > MOST_TAGS:
            msg = f"{len(self.tags)} tags are too many for a game (at most {MOST_TAGS})"
            raise MalformedError(msg)
        for name in self.tags:
            if not _NAME.fullmatch(name):
                msg = f"{shorten(name)} is no name of a tag: write letters and digits, such as Event"
                raise MalformedError(msg)
        cleaned = {name: " ".join(clean_comment(value).split()) for name, value in self.tags.items()}
        ordered = {name: cleaned[name] for name in (*TAGS, *cleaned) if name in cleaned}
        object.__setattr__(self, "tags", ordered)

    @classmethod
    def of(cls, game: Game[StateT], **tags: str) -> GameRecord[StateT]:
        """Return a record with these tags, its rules and its result."""
        return cls(game, {"Rules": game.position.rules.name, "Result": result_of(game), **tags})

    def __str__(self) -> str:
        lines = [f'[{name} "{_escape(value)}"]' for name, value in self.tags.items()]
        return "\n".join([*lines, *[""][: len(lines)], self.game.text])


@dataclass(frozen=True)
class Damage:
    """An error in a game file."""

    line: int
    """The line in which the damaged game, or its damaged tag, begins; the first is 1."""
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


@dataclass(frozen=True)
class GameFile:
    """The games of a file, and the errors in it. Iterating yields the records."""

    records: tuple[GameRecord[Any], ...]
    damage: tuple[Damage, ...] = ()

    def __iter__(self) -> Iterator[GameRecord[Any]]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)


def result_of(game: Game[Any]) -> str:
    """Return the tag `Result` of a game: the points of each player, or `*` if it is not over.

    >>> result_of(parse_game("A3Jr4/2AA2/234Jb/332A r b1 d2 a1 c3 d1 b4 a4 c2 b2"))
    '7-0'
    """
    points = game.position.result
    return UNFINISHED if points is None else "-".join(map(str, points))


def format_games(games: Iterable[GameRecord[Any] | Game[Any]]) -> str:
    """Write games as the text of a game file; games without tags get their rules and result.

    >>> print(format_games([parse_game("A223/4A2Jr/3A23/Jb3A4 r d1")]))
    [Rules "standard"]
    [Result "*"]
    <BLANKLINE>
    A223/4A2Jr/3A23/Jb3A4 r d1
    <BLANKLINE>
    """
    if not hasattr(games, "__iter__"):
        raise wrong_type(games, "a sequence of games")
    records = [one if isinstance(one, GameRecord) else _record(one) for one in games]
    return "\n\n".join(map(str, records)) + "\n" * bool(records)


def _record(game: Any) -> GameRecord[Any]:
    if not isinstance(game, Game):
        raise wrong_type(game, "a game, such as collapsi.parse_game(text)")
    return GameRecord.of(game)


def parse_games(text: str) -> GameFile:
    """Read the text of a game file: every game that has no error, and the errors with their lines.

    >>> found = parse_games("A223/4A2Jr/3A23/Jb3A4 r d1\\n\\nA223/4A2Jr/3A23/Jb3A4 r b4")
    >>> [record.game.squares for record in found], str(found.damage[0])[:26]
    ([('d1',)], "line 3: move 1, 'b4': b4 i")
    """
    if not isinstance(text, str):
        raise wrong_type(text, "a text")
    if len(text) > MOST_BYTES:
        msg = f"{len(text):,} characters are too many for a game file (at most {MOST_BYTES:,})"
        raise MalformedError(msg)
    records: list[GameRecord[Any]] = []
    damage: list[Damage] = []
    for block in _blocks(text):
        if len(records) + len(damage) >= MOST_GAMES or len(damage) >= MOST_DAMAGE:
            damage.append(Damage(block.line, "too many games or errors: the rest of the file is not read"))
            break
        try:
            records.append(block.read())
        except _LineError as error:
            damage.append(Damage(error.line, str(error)))
        except CollapsiError as error:
            damage.append(Damage(block.moves_line or block.line, str(error)))
    return GameFile(tuple(records), tuple(damage))


def read_games(path: str | Path) -> GameFile:
    """Read a game file; raise `MalformedError` if the file cannot be read or is not text."""
    target = _path(path)
    try:
        content = read_file(target, MOST_BYTES)
    except (OSError, ValueError) as error:  # ValueError: too large, or no valid name
        msg = f"cannot read {shorten(str(target), 80)}: {getattr(error, 'strerror', None) or error}"
        raise MalformedError(msg) from None
    return parse_games(decode_games(content))


def decode_games(content: bytes) -> str:
    """Decode a game file; bytes that are not UTF-8 are replaced, so that they damage one game only."""
    return content.decode(errors="replace").removeprefix("\ufeff")


def write_games(path: str | Path, games: Iterable[GameRecord[Any] | Game[Any]]) -> None:
    """Write or replace a game file in one step; raise `OutputError` if that is not possible."""
    target = _path(path)
    content = format_games(games).encode()
    with _writing(target):
        write_atomically(target, content)


def append_game(path: str | Path, game: GameRecord[Any] | Game[Any]) -> None:
    """Add a game to the end of a game file, which is created if needed."""
    target = _path(path)
    content = format_games([game])
    with _writing(target):
        begun = target.exists() and target.stat().st_size > 0
        append(target, ("\n" * begun + content).encode())


def check_appendable(path: str | Path) -> None:
    """Raise if games cannot be added to a file: before a game, not after it. No new file is left."""
    target = _path(path)
    with _writing(target):
        is_new = not target.exists()
        append(target, b"")
        if is_new:
            target.unlink()


def _path(given: str | Path) -> Path:
    if not isinstance(given, str | PurePath):
        raise wrong_type(given, "the path of a file")
    return Path(given)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Raise `OutputError` if a file cannot be written or has no valid name."""
    place = shorten(str(path), 80)
    with reporting_write_errors(place):
        try:
            yield
        except ValueError as error:  # a null character, for example
            msg = f"cannot write {place}: {error}"
            raise OutputError(msg) from None


class _LineError(MalformedError):
    """An error in one line of a block."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


@dataclass
class _Block:
    """The lines of one game in a file."""

    line: int
    tags: list[tuple[int, str]] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    moves_line: int = 0

    def read(self) -> GameRecord[Any]:
        tags: dict[str, str] = {}
        for line, text in self.tags:
            match = _TAG.fullmatch(text)
            if match is None:
                msg = f'{shorten(text)} is no tag: write [Name "text"]'
                raise _LineError(line, msg)
            if len(tags) == MOST_TAGS:
                msg = f"more than {MOST_TAGS} tags"
                raise _LineError(line, msg)
            tags[match.group(1)] = re.sub(r"\\(.)", r"\1", match.group(2))
        if not self.moves:
            msg = "tags without a game: write the position and the moves after them"
            raise MalformedError(msg)
        rules = parse_rules(tags["Rules"]) if tags.get("Rules") else None
        game = parse_game(" ".join(self.moves), rules=rules)
        if rules is not None and rules.name != game.position.rules.name:
            msg = f"the tag Rules says {rules}, but the game is played by {game.position.rules}"
            raise MalformedError(msg)
        return GameRecord(game, tags)


def _blocks(text: str) -> Iterator[_Block]:
    """Split a file into the lines of its games."""
    block: _Block | None = None
    size, after_blank = 0, False
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line:
            after_blank = True
            if block and block.moves:
                yield block
                block = None
            continue
        is_tag = line.startswith("[")
        begins = "/" in line.partition(" ")[0] and not is_tag
        if block and ((block.moves and (is_tag or begins)) or (is_tag and after_blank)):
            yield block
            block = None
        after_blank = False
        if block is None:
            block, size = _Block(number), 0
        if is_tag:
            if len(block.tags) <= MOST_TAGS:
                block.tags.append((number, line[: LONGEST_TREE + 1]))
            continue
        block.moves_line = block.moves_line or number
        if size <= LONGEST_TREE:  # a longer game is refused by its length
            block.moves.append(line[: LONGEST_TREE + 1])
        size += len(line) + 1
    if block:
        yield block


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
