// What differs between the kinds of game. Table and panels exist once and read it from here.
//
// part       the parameter of the URL that holds the game
// path       the prefix of the kind's questions to the service
// seats      the colours of a round, in order of play; `playerOf` is YOU or a level, `levelOf` the level sent to the service
// players    the fields of the panel "Players"; `change` is the change of state when something else is chosen
// fields     the fields of the panel "New game"; `dealt` the parameters of the deal shown, `note` a text about it
// answers    yields better and better analyses in one form: text, moves (badge, wins, best, words), best, line, legend; then may
//            yield `end`, the reason for the end. `deepens`: it takes long enough to be stopped
// reviews    likewise: moves, text, and for a graph the `review`. `reviewView`: the view that shows it unasked. `perfect`: perfect play
//            after a game, where the review does not have it
// seating    the change of state that gives each seat the player that a function names; `roomSeating` likewise for the seats of a room,
//            `numberIn` the number of the player of a seat
// lookBack   the button that answers "Where did I go wrong?" in place of a review
// match      the parameter and text of a match, and its rounds

import { about, FRIEND, players, rulesNamed, YOU } from "./about.js";
import { ask, lines } from "./api.js";
import { capital, count, sentence } from "./dom.js";
import { valued } from "./squares.js";
import { gameWith, other, RULES } from "./state.js";
import { load } from "./storage.js";

/** Ask for the game; if only the ply or match of a link is wrong, for the game without them. */
export async function askGame(kind, state) {
  const { path, part, match } = kind;
  const query = { game: state[part], ply: state.ply, match: match && state[match.part] };
  try {
    return await ask(`${path}game`, query);
  } catch (problem) {
    if (problem.silent || (query.ply === null && !query.match)) throw problem;
    const shown = await ask(`${path}game`, { game: query.game });
    Object.assign(state, { ply: null, ...match?.none });
    return shown;
  }
}

/** The game for two, classic or shifting. */
export const DUEL = {
  part: "game",
  path: "",
  shared: ["match", "round"],
  view: ({ view, hints }) => (hints && view !== "play" ? "analyse" : "play"),
  /** A deal by the rules chosen last. */
  deal: () => ask("deal", { rules: rulesNamed(load(RULES, ""))?.name }, { fresh: true }),
  board: () => about.rules[0].board,
  subject: ({ position }) => ({ position }),
  drawsValues: ({ state }) => state.hints,
  explains: true,

  seats: () => ["red", "blue"],
  playerOf: ({ state }, seat) => state[seat],
  levelOf: ({ state }, seat) => state[seat],
  numberIn: (_app, seat) => DUEL.seats().indexOf(seat) + 1,
  roomSeating: ({ seats }, playerOf) => Object.fromEntries(seats.map((each) => [each.colour, playerOf(each)])),
  seating: (_app, playerOf) => Object.fromEntries(DUEL.seats().map((seat) => [seat, playerOf(seat)])),
  moverAt: ({ shown }, ply) => ((ply - shown.ply) % 2 ? other(shown.to_move) : shown.to_move),
  players: ({ state }) =>
    DUEL.seats().map((seat) => ({
      name: seat,
      label: capital(seat),
      value: state[seat],
      options: players(about.levels),
      change: (value) => ({ [seat]: value }),
    })),

  dealTitle: "A new game",
  fields: () => [],
  dealt: ({ rules }) => ({ rules }),
  note: ({ rules_text: text }) => text,
  swaps: true,
  opensByRules: true,
  openLabel: "A deal, position or game, in our notation or the published solver's, or a link to one",
  example: () => about.rules[0].example.position,

  async *answers({ position }) {
    yield valued(await ask("analysis", { position }, { instead: "values" }));
  },
  movesTitle: "Moves, best first",
  lineTitle: "Perfect play",

  reviewView: "analyse",
  async *reviews({ game }) {
    const review = await ask("review", { game }, { instead: "review" });
    yield { moves: review.moves, text: "", review };
  },
  verdicts: () => about.verdicts,

  result: (app) => ({
    title: `${isMixed(app) ? partyOf(app, app.shown.winner) : capital(app.shown.winner)} won with ${count(app.shown.points, "point", "points")}.`,
  }),
  match: {
    part: "match",
    none: { match: null, round: 1 },
    first: { match: "0-0", round: 1 },
    title: "A match to 16 points",
    text: () => "The winner of a round scores a point for each card still face up; the players change colours after each round.",
    isOn: ({ state }) => state.match !== null,
    isOver: ({ shown }) => Boolean(shown.match.winner),
    next({ shown, state }) {
      const change = { match: shown.match.next, round: state.round + 1, red: state.blue, blue: state.red };
      return shown.match.next && { rules: shown.rules, change };
    },
    score: duelScore,
  },
};

const PARTIES = { [YOU]: "you", [FRIEND]: "your friend" };
const partyOf = (app, seat) => capital(app.watching ? seat : (PARTIES[app.state[seat]] ?? "the computer"));

function duelScore(app) {
  const { state, shown } = app;
  const first = state.round % 2 ? "red" : "blue"; // the colour of the first player in this round
  const name = (colour) => {
    if (isMixed(app)) return partyOf(app, colour);
    if (state.red !== state.blue) return players(about.levels).find(({ value }) => value === state[colour]).text;
    return colour === first ? "Player 1" : "Player 2";
  };
  const line = ["red", "blue"].map((colour) => `${name(colour)} (${colour}) ${shown.match[colour]}`).join(", ");
  return shown.match.winner ? `${name(shown.match.winner)} won the match: ${line}.` : `Round ${state.round}: ${line}.`;
}

/** The game for one. */
export const SOLO = {
  part: "solo",
  path: "solo/",
  shared: [],
  view: () => "solo",
  subject: ({ position }) => ({ game: position }),
  drawsValues: ({ state }) => state.hints,

  seats: ({ shown }) => [shown.to_move],
  playerOf: () => YOU,

  dealTitle: "A new board",
  fields: () => [
    { name: "deck", label: "Deck", options: about.solo.decks },
    { name: "difficulty", label: "Difficulty", options: [{ value: "", text: "any" }, ...about.solo.difficulties] },
    { name: "exit", label: "Exit", options: about.solo.exits },
    { name: "seed", label: "Seed", inputmode: "numeric", size: 8, placeholder: "any" },
  ],
  dealt: ({ deck, exit }) => (deck ? { deck, exit } : { exit }),
  note: () => "For the next deal. Every board that is dealt can be solved; the same seed deals the same board.",
  openLabel: "A board or game of your own, or a link to one",
  example: () => about.solo.rules[0].example.position,

  async *answers(shown) {
    const found = await askSolution(shown);
    const value = (move) => ({ ...move, badge: move.value, wins: move.solvable, best: move.solvable, words: move.text });
    const legend = "The number on a card: how many solutions go there. After 0 it cannot be solved any more.";
    yield { ...found, legend, moves: found.moves.map(value), line: found.solution, noBest: "No move keeps it solvable: take some back." };
  },
  movesTitle: "Moves",
  lineTitle: "A solution",
  result: ({ shown }) => ({ title: sentence(shown.turn) }),
  lookBack: "solo-back",
};

export const askSolution = (shown) => ask("solo/analysis", { game: gameWith(shown) });

/** The big board, for two to four. In a match players have numbers, and change seats. */
export const BIG = {
  part: "big",
  path: "big/",
  shared: ["seats", "points"],
  view: () => "big",
  board: () => about.big.rules[0].board,
  subject: ({ position }) => ({ position }),
  drawsValues: ({ analysis }) => analysis?.kind === "solved",
  rulesTitle: () => "",

  seats: ({ shown }) => shown.seats.map(({ seat }) => seat),
  playerOf: (app, seat) => bigPlayers(app)[numberOf(app, seat) - 1],
  /** One whose level these rules do not have plays the strongest that they have. */
  levelOf(app, seat) {
    const { levels } = bigRules(app.shown.rules);
    const level = BIG.playerOf(app, seat);
    return levels.some(({ value }) => value === level) ? level : levels.at(-1).value;
  },
  numberIn: (app, seat) => numberOf(app, seat),
  roomSeating({ seats, match }, playerOf) {
    const order = ["red", "blue", "green", "yellow"];
    const listed = match ? seats : seats.toSorted((one, next) => order.indexOf(one.colour) - order.indexOf(next.colour));
    return { seats: listed.map(playerOf).join(".") };
  },
  seating: (app, playerOf) => ({
    seats: bigPlayers(app)
      .map((player, index) => {
        const seat = app.shown.seats.find((each) => each.player === index + 1)?.seat;
        return seat ? playerOf(seat) : player;
      })
      .join("."),
  }),
  moverAt: ({ shown }, ply) => shown.movers[ply],
  players(app) {
    const { shown } = app;
    const chosen = bigPlayers(app);
    return chosen.map((player, index) => {
      const seat = shown.seats.find((each) => each.player === index + 1)?.seat;
      return {
        name: index + 1,
        label: shown.match ? `Player ${index + 1}${seat ? ` (${seat})` : ""}` : capital(seat),
        value: player in PARTIES || !seat ? player : BIG.levelOf(app, seat),
        options: players(bigRules(shown.rules).levels),
        change: (value) => ({ seats: chosen.with(index, value).join(".") }),
      };
    });
  },

  dealTitle: "A new game",
  fields: () => [],
  dealt: ({ rules }) => ({ rules }),
  note: ({ rules }) => bigRules(rules).text,
  openLabel: "A board or game of your own, or a link to one",
  example: () => about.big.rules[0].example.position,

  deepens: true,
  async *answers({ position }, signal) {
    for await (const line of lines("big/analysis", { position }, signal)) {
      if (line.kind === "end") yield { end: line.why, text: line.text };
      else yield { ...line, line: line.answer.line ?? [], noBest: "It is not known yet which move is the best." };
    }
  },
  movesTitle: "Moves, best first",
  lineTitle: "Perfect play",

  async *reviews({ game }, signal) {
    for await (const line of lines("big/review", { game }, signal)) {
      if (line.kind !== "end") yield { moves: line.answer.moves, text: line.text };
    }
  },
  verdicts: () => about.big.verdicts,
  async perfect(game) {
    const { position, winner } = await ask("big/game", { game });
    if (winner) return [];
    for await (const { answer } of lines("big/analysis", { position })) if (answer?.line) return answer.line;
    return [];
  },

  result(app) {
    const { winner, seats } = app.shown;
    const points = seats.toSorted((one, next) => next.points - one.points).map((each) => `${each.seat} ${each.points}`);
    return { title: `${capital(winner)} (${bigName(app, numberOf(app, winner))}) won the round.`, text: ` Points: ${points.join(", ")}.` };
  },
  match: {
    part: "points",
    none: { points: "" },
    first: { points: "start" },
    title: "A match",
    text: () => about.big.match,
    isOn: ({ shown }) => Boolean(shown.match),
    isOver: ({ shown }) => shown.match.winner !== null,
    next: ({ shown: { match } }) => match?.next && { rules: match.next_rules, change: { points: match.next } },
    score({ shown: { match } }) {
      const won = match.winner === null ? "" : ` Player ${match.winner} has won the match.`;
      const next = match.next ? ` Next: ${sentence(match.next_text)}` : "";
      return `${sentence(`${match.title}: ${match.text}`)}${won}${next}`;
    },
  },
};

const bigRules = (name) => about.big.rules.find((rules) => rules.name === name);
const numberOf = ({ shown }, seat) => shown.seats.find((each) => each.seat === seat).player;

/** The players by number, as the state names them; one that it does not name is you, or an easy opponent. */
function bigPlayers({ shown, state }) {
  const named = state.seats.split(".");
  const known = new Set([...Object.keys(PARTIES), ...about.big.rules.flatMap(({ levels }) => levels.map(({ value }) => value))]);
  const usual = (number) => (number ? about.big.first_level : YOU);
  const length = shown.match?.points.length ?? shown.seats.length; // in a match some may not play this round
  return Array.from({ length }, (_, number) => (known.has(named[number]) ? named[number] : usual(number)));
}

/** What a player is called: by number in a match, and whether it is a person. */
export function bigName(app, number) {
  const all = bigPlayers(app);
  const alone = all.filter((each) => each === YOU).length === 1;
  const party =
    (all[number - 1] === YOU && !alone) || (all[number - 1] === FRIEND && app.watching)
      ? "person"
      : (PARTIES[all[number - 1]] ?? "computer");
  return app.shown.match ? `player ${number}, ${party}` : party;
}

/** The seats that people play. */
export const people = (app) => {
  const kind = app.kind();
  return kind.seats(app).filter((seat) => kind.playerOf(app, seat) === YOU);
};
/** Whether a friend plays this seat. */
export const isFriend = (app, seat) => app.kind().playerOf?.(app, seat) === FRIEND;
/** Whether computers play each other. */
export const isUnattended = (app) => !people(app).length && !hasFriend(app);
/** Whether a friend plays. */
export const hasFriend = (app) =>
  app
    .kind()
    .seats(app)
    .some((seat) => isFriend(app, seat));
/** Whether others play than the people here: the computer, or a friend. */
export const isMixed = (app) => !isUnattended(app) && people(app).length < app.kind().seats(app).length;

/** Whether a person is to move. */
export function isHuman(app) {
  const kind = app.kind();
  return kind.isHuman?.(app) ?? kind.playerOf(app, app.shown.to_move) === YOU;
}

/** The next ply in a direction where a person is to move, or null; any ply unless people play against the computer. */
export function personsTurn(app, by) {
  const kind = app.kind();
  const last = app.shown.moves.length;
  const skips = (ply) => isMixed(app) && kind.playerOf(app, kind.moverAt(app, ply)) !== YOU;
  let ply = app.shown.ply + by;
  while (ply > 0 && ply < last && skips(ply)) ply += by;
  return ply < 0 || ply > last || (by < 0 && skips(ply)) ? null : ply;
}
