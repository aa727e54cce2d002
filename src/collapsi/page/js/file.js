// Game files: several games with tags. Here they are only taken apart; the service reads the games.

export const MAX_BYTES = 4_000_000; // as the library
const MAX_GAMES = 200; // listed
const MAX_TAGS = 64; // of a game, as the library
export const MAX_GAME = 20_000; // characters of a game that the page opens

/** The games of a file: the line where each begins, its tags by name, and its text. A line that begins with a board begins a game. */
export function gamesIn(text) {
  const games = [];
  let game = null;
  const end = () => {
    if (game?.moves.length) games.push({ line: game.line, tags: game.tags, text: game.moves.join(" ") });
    game = null;
  };
  for (const [index, raw] of text.split("\n").entries()) {
    if (games.length >= MAX_GAMES) return games;
    const line = raw.trim();
    const isTag = line.startsWith("[");
    const isBoard = !isTag && line.split(" ", 1)[0].includes("/");
    if (game?.moves.length && (!line || isTag || isBoard)) end();
    if (!line) continue;
    game ??= { line: index + 1, tags: {}, moves: [] };
    const tag = isTag && /^\[\s*(\w{1,40})\s+"(.*)"\s*\]$/.exec(line);
    if (tag && Object.keys(game.tags).length < MAX_TAGS)
      game.tags = { ...game.tags, [tag[1]]: tag[2].replaceAll(/\\(.)/g, "$1").slice(0, 100) };
    if (!isTag) game.moves.push(line);
  }
  end();
  return games;
}

/** A game of a file in a few words. */
export function titleOf({ line, tags }) {
  const players = [tags.Red, tags.Blue, tags.Green, tags.Yellow].filter(Boolean).join(" – ");
  return [`Line ${line}`, tags.Event, tags.Date, players, tags.Result].filter(Boolean).join(", ");
}
