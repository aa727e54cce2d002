// The choices that the service offers: rule sets, levels, cards. Loaded once, before anything is shown.

import { inMoves, make } from "./dom.js";

export const about = {};

export const YOU = "you";
export const FRIEND = "friend"; // a person at another machine
export const isPerson = (player) => player === YOU || player === FRIEND;

/** The options for a player: you, a friend, or a level of the computer. */
export const players = (levels) => [
  { value: YOU, text: "You" },
  { value: FRIEND, text: "A friend elsewhere" },
  ...levels.map(({ value, text }) => ({ value, text: `Computer: ${text}` })),
];

export const cardName = (letter) => about.cards.find(({ value }) => value === letter)?.text ?? letter;
export const isStandard = (name) => name === about.rules[0].name;
export const rulesNamed = (name) => about.rules.find((rules) => rules.name === name);
/** Whether a rule set has a shifting board; another deck, after an @, makes no difference. */
export const hasShifts = (name) => Boolean(rulesNamed(name.split("@")[0])?.shifts);

/** Rule sets as options of a list. */
export const options = (rules) => rules.map(({ name, title }) => ({ value: name, text: title }));

/** Fill a list of options. */
export const fill = (select, list) => select.replaceChildren(...list.map(({ value, text }) => make("option", { value }, inMoves(text))));
