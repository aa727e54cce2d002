"""The commands whose output is recorded, by the name of their file in `cli/`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

CLASSIC_RULE_SETS = ("standard", "joker", "choice")
SHIFTING = ("shift", "shift-box", "shift-rotate")
BIG = ("big", "big3", "big4", "five3")
TYPED = ("1,3|2", "standard@5,4,3,2", "joker@3x4")
"""Rules that are composed by the user."""
FOUR_BY_FOUR = TYPED[:2]
"""Without another board, on which `strategy` and `ladder` end in an IndexError instead of a refusal."""
NAMED = (*CLASSIC_RULE_SETS, *SHIFTING, *BIG)
RULES = (*NAMED, *TYPED)
UNKNOWN = "nonsense"

DEALS = {
    "standard": "A422/33AA/32JrJb/42A3 r",
    "joker": "A422/33AA/32JrJb/42A3 r joker",
    "choice": "A422/33AA/32JrJb/42A3 r choice",
    "shift": "32A3/AA23/Jr424/AJb23 r shift",
    "shift-box": "32A3/AA23/Jr424/AJb23 r shift-box",
    "shift-rotate": "32A3/AA23/Jr424/AJb23 r shift-rotate",
    "1,3|2": "A422/33AA/32JrJb/42A3 r 1,3|2",
    "standard@5,4,3,2": "A422/33AA/32JrJb/4AA2 r standard@5,4,3,2",
    "joker@3x4": "24A3/3A3Jr/Jb2A2 r joker@3x4",
    "big": "43AA43/A32243/42Jr24A/342Jb4A/2.2A42/3A.3A3 r big",
    "big3": "43AA43/A32243/42Jr24A/342Jb4A/2Jg2A42/3A.3A3 r big3",
    "big4": "43AA43/A32243/42Jr24A/342Jb4A/2Jg2A42/3AJy3A3 r big4",
    "five3": "23A44/3A42A/3Jr3A2/42A3Jb/Jg32A2 r five3",
}
ENDGAMES = {
    "standard": ".4r../33../32../42Ab3 b",
    "joker": ".4r../33../32../42Ab3 b joker",
    "choice": ".4r../33../32../42Ab3 b choice",
    "shift": ".Ar2../-.2A./-.A.2b/-3..- r shift",
    "shift-box": ".Ar2../-.2A./-.A.2b/-3..- r shift-box",
    "shift-rotate": "..3./.2r.A/.Ab2./4.3. r shift-rotate",
    "1,3|2": "A42r2b/33.A/32../.2A3 r 1,3|2",
    "standard@5,4,3,2": "A.22r/3b3AA/..../4AA2 b standard@5,4,3,2",
    "joker@3x4": "24A3b/3A3./.2Ar2 r joker@3x4",
    "big": "43..../2A...A/.3A.../.AA4../.33b44r./...... r big",
    "big3": "....../.2r.3../.AA.../.3b4g.../..3.../...... r big3",
    "big4": ".A22.4y/A.A33./..3..4/.3..4./Ab..4.A/...432r y big4 out:g",
    "five3": "..4.A/AbA24g3/A..A3/.324r3/3A..2 g five3",
}
"""A position of each rule set that is solved at once."""
OVER = {
    "standard": "..../.2r../.Ab../.... r",
    "shift": "--2--/3.A--/-..3r3/..2b.-/A-.4-/---3- b shift",
    "big": "43AA.3/A322.3/4...4A/.4r2.4A/2..A.2/3A...3 r big out:b",
    "big3": "4...43/.3.243/4...4A/.42..A/2b..A42/3A.3A. b big3 out:gr",
}
"""Games that are over."""
GAMES = {"standard": "b3 a3 b1 a2", "choice": "c2 d2 c1", "shift-box": "b3d", "1,3|2": "b3 a3"}
"""Moves played from some of the deals."""
BIG_MOVES = "d4 e4"
PUBLISHED = "A223/4A2Jr/3A23/Jb3A4 r"
SOLO = ("A2X/3Jr2/A2A", "A2X/3Jr2/A2A b1 c3 c2", "2AJr/A22/3XA closed b1 a1", "2A33/2Jr2A/A3X3/2A44")
"""Layouts and games of the solo game: solvable, hopeless, with a closed exit, and on the larger board."""
SOLO_OVER = "2AJr/A22/3XA closed b1 a1 a2 b2 c3 c2"
BAD = (
    "",
    "A223",
    "A223/4A2Jr/3A23/Jb3A5 r",
    "A223/4A2Jr/3A23/Jb3A4 g",
    f"{PUBLISHED} d4",
    f"{PUBLISHED} nonsense",
)
"""What is no position or game."""

WINNERS = "select winner, sum(weight) as deals from deals group by winner order by winner"
ATLAS = "atlas"
"""A folder beside the golden files with a small atlas, which the commands find where they run."""


class Sample(NamedTuple):
    """A command and what it reads from standard input."""

    arguments: tuple[str, ...]
    stdin: str = ""
    files: tuple[str, ...] = ()
    """Text files that the command writes, which are recorded too."""


def words(text: str) -> tuple[str, ...]:
    """Arguments without spaces in them."""
    return tuple(text.split())


def each(*arguments: str, rules: tuple[str, ...] = (*RULES, UNKNOWN)) -> list[Sample]:
    """A command with every rule set."""
    return [Sample((*arguments, "--rules", name)) for name in rules]


def on(positions: dict[str, str] | tuple[str, ...], *arguments: str) -> list[Sample]:
    """A command on each position."""
    texts = positions.values() if isinstance(positions, dict) else positions
    return [Sample((*arguments, text)) for text in texts]


def without(positions: dict[str, str], *names: str) -> dict[str, str]:
    """Positions of all rule sets but these."""
    return {name: text for name, text in positions.items() if name not in names}


def only(positions: dict[str, str], *names: str) -> dict[str, str]:
    """Positions of these rule sets."""
    return {name: text for name, text in positions.items() if name in names}


def both(samples: list[Sample]) -> list[Sample]:
    """Samples, and the same with --json."""
    return [
        form
        for sample in samples
        for form in (sample, sample._replace(arguments=(*sample.arguments, "--json")))
    ]


def one(*arguments: str, stdin: str = "", files: tuple[str, ...] = ()) -> list[Sample]:
    """A single command."""
    return [Sample(arguments, stdin, files)]


QUICK_DEALS = without(DEALS, "shift", "shift-rotate", *BIG)
"""Whole deals that are solved within a moment."""
RANDOM = words("--red 1 --blue random --seed 7")
SMALL = words("--deals 3 --jobs 1")
LINES = "\n".join((PUBLISHED, "A223", "# a comment", "", ENDGAMES["joker"])) + "\n"

COMMANDS: dict[str, list[Sample]] = {
    "collapsi": [
        *one(),
        *one("--help"),
        *one("--version"),
        *one("nonsense"),
        *one("--nonsense"),
        *one("solve"),
        *one("deal", "--count", "0"),
        *one("deal", "--seed", "x"),
        *(Sample((name,)) for name in ("shifting", "big", "games", "daily", "drills", "fairness", "solo")),
        *(Sample(("solo", name)) for name in ("deal", "solve", "count", "census", "play")),
    ],
    "show": [
        *on(DEALS, "show"),
        *on(ENDGAMES, "show"),
        *on(OVER, "show"),
        *on(ENDGAMES, "show", "--values"),
        *on(only(ENDGAMES, "standard", "shift", "big", "big3"), "show", "--svg"),
        *on(only(ENDGAMES, "standard", "shift", "big", "big3"), "show", "--svg", "--values"),
        *each("show", "A422/33AA/32JrJb/42A3 r"),
        *on(BAD, "show"),
        *on((*SOLO, SOLO_OVER), "show"),
    ],
    "review": [
        *both(on({name: f"{DEALS[name]} {moves}" for name, moves in GAMES.items()}, "review")),
        *both(one("review", f"{ENDGAMES['big']} {BIG_MOVES}")),
        *one("review", PUBLISHED),
        *one("review", f"{SOLO[0]} b1"),
        *one("review", "--rules", UNKNOWN, PUBLISHED),
    ],
    "deal": [
        *one("deal", "--seed", "7", "--count", "3"),
        *each("deal", "--seed", "7"),
        *one("deal", "--rules", "solo", "--seed", "7", "--count", "2"),
        *(
            Sample(("deal", "--rules", "solo", "--seed", "7", "--difficulty", hard, "--exit", reading))
            for hard in ("easy", "medium", "hard")
            for reading in ("open", "closed")
        ),
        *one("deal", "--rules", "solo", "--seed", "7", "--deck", "1122334"),
        *one("deal", "--rules", "solo", "--seed", "7", "--deck", "11112222333344"),
        *one("deal", "--rules", "solo", "--deck", "nonsense"),
        *one("deal", "--difficulty", "hard"),
    ],
    "solve": [
        *both(on(QUICK_DEALS, "solve")),
        *both(on(ENDGAMES, "solve")),
        *both(on(OVER, "solve")),
        *both(on(only(ENDGAMES, "big", "big3"), "solve", "--winner-only")),
        *both(on((f"{PUBLISHED} a2 b4",), "solve")),
        *both(one("solve", "-", stdin=LINES)),
        *both(on(BAD, "solve")),
        *each("solve", PUBLISHED, rules=("joker", *BIG, UNKNOWN)),
        *both(on((*SOLO, SOLO_OVER), "solve")),
        *both(one("solve", "-", stdin="\n".join((*SOLO[:2], "A2X")) + "\n")),
        *on(("A2X", f"{SOLO[0]} z9"), "solve"),
        *both(on(without(QUICK_DEALS, "joker", "choice", "1,3|2", "shift-box"), "solve", "--games")),
        *both(on(ENDGAMES, "solve", "--games")),
        *both(one("solve", "--games", DEALS["shift"])),
        *both(one("solve", "--games", "-", stdin=LINES)),
        *on(BAD[:2], "solve", "--games"),
        *one("solve", "--games", "--winner-only", PUBLISHED),
    ],
    "line": [
        *on(QUICK_DEALS, "line"),
        *on(ENDGAMES, "line"),
        *on(OVER, "line"),
        *on(BAD[:2], "line"),
        *on((SOLO[0], SOLO[1], SOLO_OVER), "line"),
    ],
    "bench": each("bench", "--count", "2", "--jobs", "1", rules=("standard", UNKNOWN)),
    "bench-slow": [
        *each("bench", "--count", "2", "--jobs", "1", rules=("joker", "choice", "shift-box", *TYPED)),
        *each("bench", "--count", "1", "--jobs", "1", rules=("shift", "shift-rotate", *BIG)),
    ],
    "play": [
        *each("play", *RANDOM, rules=(*CLASSIC_RULE_SETS, "shift", "shift-box", "big", *TYPED, UNKNOWN)),
        *each("play", *words("--red 1 --blue random --green 2 --seed 7"), rules=("big3", "five3")),
        *each("play", *words("--red 1 --blue random --green 2 --yellow 1 --seed 7"), rules=("big4",)),
        *one(
            "play",
            PUBLISHED,
            *words("--red you --blue you"),
            stdin="?\nmoves\na2\nundo\nd1\nz9\nhint\nquit\n",
        ),
        *one("play", ENDGAMES["shift"], *words("--red you --blue you"), stdin="?\nc1\nundo\nquit\n"),
        *one(
            "play", ENDGAMES["big3"], *words("--red you --blue you --green you"), stdin="?\nc3\nundo\nquit\n"
        ),
        *one("play", ENDGAMES["standard"], "--red", "perfect", "--blue", "you", stdin="b4\n"),
        *one("play", PUBLISHED, "--red", "nonsense"),
        *one("play", PUBLISHED, "--green", "you"),
        *one("play", PUBLISHED, "--match"),
        *on(BAD[1:2], "play"),
        *one("play", SOLO[0], stdin="?\nhint\nb1\ncheck\nundo\nz9\nsolution\nquit\n"),
        *one("play", "--rules", "solo", "--seed", "7", stdin="quit\n"),
        *one("play", "A2X"),
        *one(*words("play --daily --date 2026-10-02 --json")),
        *one(*words("play --daily --date 2026-10-02"), stdin="?\nz9\nquit\n"),
        *one(*words("play --daily --date 2026-02-30")),
        *one(*words("play --daily --date tomorrow")),
        *one(*words("play --daily --date 2999-01-01")),
        *one(*words("play --daily --level card")),
        *one(*words("play --date 2026-10-02")),
    ],
    "play-slow": each("play", *RANDOM, rules=("shift-rotate",)),
    "puzzles": [
        *both(
            each(
                "puzzles",
                *words("--seed 7 --count 2 --jobs 1"),
                rules=("standard", "1,3|2", "standard@5,4,3,2"),
            )
        ),
        *one("puzzles", *words("--seed 7 --count 2 --kind easy --answers --jobs 1")),
        *both(one("puzzles", *words("--seed 7 --count 2 --kind pass --jobs 1"))),
        *one("puzzles", *words("--seed 7 --count 3 --kind pass --answers --jobs 1")),
        *each("puzzles", *words("--seed 7 --count 1"), rules=(*SHIFTING, *BIG, UNKNOWN)),
        *both(one("puzzles", *words("--drill 2 --count 2 --seed 7 --jobs 1"))),
        *one("puzzles", *words("--drill 2 --count 2 --seed 7 --jobs 1 --answers")),
        *one("puzzles", *words("--drill 2 --count 1 --seed 0 --fails --jobs 1")),
        *one("puzzles", "--drill", "99"),
        *one("puzzles", "--drill", "x"),
        *one("puzzles", "--drill", "1", "--card", "missing.txt"),
        *one("puzzles", "--fails"),
    ],
    "puzzles-slow": both(
        each("puzzles", *words("--seed 7 --count 1 --jobs 1"), rules=("joker", "choice", "joker@3x4"))
    ),
    "strategy": [
        *each("strategy", *words("--games 30 --no-curves --jobs 1"), rules=(*SHIFTING, *BIG, UNKNOWN)),
        *one("strategy", "--card", "missing.txt"),
    ],
    "strategy-slow": [
        *both(
            each(
                "strategy",
                *words("--card kept --games 60 --no-curves --jobs 1"),
                rules=(*CLASSIC_RULE_SETS, *FOUR_BY_FOUR),
            )
        ),
        *one(
            "strategy",
            *words("--games 60 --lines 2 --no-curves --jobs 1 --out card.json"),
            files=("card.json",),
        ),
    ],
    "ladder": [
        *both(
            each(
                "ladder",
                *words("--games 2 --players random,1 --jobs 1"),
                rules=("standard", "shift-box", "five3"),
            )
        ),
        *each(
            "ladder", *words("--games 2 --players random,1 --jobs 1"), rules=("big", "big3", "big4", UNKNOWN)
        ),
        *both(one("ladder", *words("--games 2 --players 1 --won-back --jobs 1"))),
        *one("ladder", "--won-back", "--neighbours"),
        *one("ladder", "--players", "nonsense,1"),
    ],
    "ladder-slow": both(
        each(
            "ladder",
            *words("--games 2 --players random,1 --jobs 1"),
            rules=("joker", "choice", "shift", "shift-rotate", *FOUR_BY_FOUR),
        )
    ),
    "serve": one("serve", "--port", "65536"),
    "census": [
        *each("census", rules=("shift", "shift-box", *BIG, "joker@3x4", UNKNOWN)),
        *one("census", "--deck", "1,2,3"),
        *one("census", "--deck", "9,9,9,9"),
        *one("census", "--red-first", "5"),
        *one("census", "--rules", "shift-rotate", "--forget"),
        *one("census", "--forget"),
        *one("census", "--rules", "shift-rotate", "--games"),
        *one("census", "--openings", "--deck", "1,2,3"),
        *one("census", "--openings", "--deck", "9,9,9,9"),
        *one("census", "--openings", "--games"),
        *one("census", "--openings", "--rules", "joker"),
        *one("census", "--openings", "--level", "perfect"),
        *one("census", "--level", "card"),
        *both(one("census", "--rules", "solo", "--sample", "20")),
        *both(one("census", "--rules", "solo", "--sample", "20", "--exit", "closed")),
        *both(one("census", "--rules", "solo", "--sample", "3", "--deck", "11112222333344")),
        *one("census", "--rules", "solo", "--deck", "nonsense"),
        *one("census", "--sample", "20"),
    ],
    "census-slow": [
        *both(each("census", "--jobs", "1", rules=("standard", "choice", "1,3|2", "standard@5,4,3,2"))),
        *one("census", "--rules", "joker", "--jobs", "1", "--json"),
        *one("census", "--games", "--jobs", "1", "--json"),
        *both(one("census", "--openings", "--jobs", "1")),
        *one("census", *words("--openings --deck 11,1,1,1 --level 2 --sample 20 --jobs 1 --json")),
        *one("census", "--deck", "6,4,2,2", "--jobs", "1"),
        *one("census", "--games", "--jobs", "1", "--out", "full"),
        *one("atlas", "verify", "--atlas", "full"),
        *both(one("census", "--rules", "solo")),
    ],
    "report": one("report"),
    "report-slow": one("report", "--out", "report", "--atlas", "missing"),
    "lab": [
        *each("lab", "--only", "5,4,3,2", rules=(*SHIFTING, *BIG, "standard@5,4,3,2", "joker@3x4", UNKNOWN)),
        *one("lab", "--only", "1,2,3"),
        *one("lab", "--forget"),
    ],
    "lab-slow": both(each("lab", *words("--only 5,4,3,2 --only 4,4,3,3 --jobs 1"), rules=("standard",))),
    "facts": [
        *one("facts", "shift", "--deals", "0"),
        *one("facts", "shift", "--census", "missing.json"),
        *one("facts", "shift", "--out", "curve.svg"),
        *one("facts", "big", "--out", "missing/curve.svg"),
        *one("facts", "big", "--jobs", "1"),
        *(Sample(("facts", name)) for name in (*CLASSIC_RULE_SETS, *TYPED, UNKNOWN)),
    ],
    "facts-slow": both(
        [Sample(("facts", "shift", "--deals", "2", "--jobs", "1")), Sample(("facts", "big", "--deals", "1"))]
    ),
    "study": [
        *both([Sample(("study", name, *SMALL)) for name in ("standard", "joker@3x4")]),
        *both([Sample(("study", name, *SMALL, "--level", "1")) for name in ("big", "five3")]),
        *one("study", UNKNOWN),
        *both(one("study", "standard", *SMALL, "--level", "1")),
        *one("study", "standard", "--level", "perfect"),
        *one("study", "standard", "--until", "x"),
        *one("study", "standard", *SMALL, "--out", "study", files=("study/study.json",)),
        *one("study", "joker", *SMALL, "--out", "study"),
    ],
    "study-slow": [
        *both(
            [Sample(("study", name, *SMALL)) for name in ("joker", "choice", *SHIFTING, "big", *FOUR_BY_FOUR)]
        ),
        *both([Sample(("study", name, *SMALL, "--level", "1")) for name in ("big3", "big4")]),
    ],
    "dataset": [
        *one("dataset"),
        *one("dataset", *words("--out data --positions 9")),
        *each("dataset", *words("--out data"), rules=(*SHIFTING, *BIG, "joker@3x4", "solo", UNKNOWN)),
        *one("dataset", *words("--out data --positions 20 --jobs 1"), files=("data/dataset.json",)),
        *one("dataset", *words("--out data --positions 30")),
        *one("dataset", *words("--out atlas/manifest.json --positions 20")),
    ],
    "exam": [
        *both(one("exam", *words("--levels random,perfect"))),
        *one("exam", *words("--levels none")),
        *one("exam", *words("--levels nonsense")),
        *one("exam", *words("--program missing-program --levels none")),
        *one("exam", "--program", "'", *words("--levels none")),
        *one("exam", *words("--seconds 0")),
    ],
    "site": [*one("site"), *one("site", "--out", "page", "--pyodide", "missing")],
    "atlas": one("atlas", "nonsense"),
    "atlas find": [
        *both(one("atlas", "find", "--limit", "3")),
        *both(one("atlas", "find", "--winner", "blue", "--limit", "2")),
        *one("atlas", "find", "--plies", "99"),
        *one("atlas", "find", "--atlas", "missing"),
    ],
    "atlas show": [
        *both(one("atlas", "show", PUBLISHED)),
        *one("atlas", "show", DEALS["standard"]),
        *one("atlas", "show", DEALS["joker"]),
        *one("atlas", "show", DEALS["shift"]),
        *one("atlas", "show", ENDGAMES["standard"]),
        *one("atlas", "show", "A223"),
    ],
    "atlas similar": [
        *both(one("atlas", "similar", PUBLISHED)),
        *one("atlas", "similar", DEALS["joker"]),
        *one("atlas", "similar", DEALS["choice"], "--json"),
        *one("atlas", "similar", PUBLISHED, "--atlas", ATLAS),
        *one("atlas", "similar", PUBLISHED, "--atlas", "missing"),
        *one("atlas", "similar", DEALS["shift"]),
        *one("atlas", "similar", ENDGAMES["standard"]),
        *one("atlas", "similar", "A223"),
    ],
    "atlas sql": one("atlas", "sql", WINNERS),
    "atlas sql-slow": [
        *one("atlas", "sql", WINNERS, "--json"),
        *one("atlas", "sql", "select"),
        *one("atlas", "sql", "drop table deals"),
    ],
    "atlas verify": [*one("atlas", "verify"), *one("atlas", "verify", "--atlas", "missing")],
}


def samples(name: str) -> Iterator[Sample]:
    """All commands of a file; the help of the command comes first."""
    if name != "collapsi" and not is_slow(name):
        yield Sample((*name.split(), "--help"))
    yield from COMMANDS[name]


def is_slow(name: str) -> bool:
    """Whether a file belongs to the slow run."""
    return name.endswith("-slow")
