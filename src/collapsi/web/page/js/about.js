// What there is to choose from: asked of the service once, before anything is shown.

import { ask } from "./api.js";
import { make } from "./dom.js";

/** The service's answer: rule sets, levels, verdicts, cards. */
export const about = {};

export async function learn() {
  Object.assign(about, await ask("about"));
}

export const YOU = "you";

/** Everybody who can play a colour. */
export const players = () => [
  { value: YOU, text: "You" },
  ...about.levels.map(({ value, text }) => ({ value, text: `Computer: ${text}` })),
];

export const playerName = (player) => players().find(({ value }) => value === player).text;
export const cardName = (letter) => about.cards.find(({ value }) => value === letter)?.text ?? letter;
export const isStandard = (name) => name === about.rules[0].name;
export const rulesNamed = (name) => about.rules.find((rules) => rules.name === name);
/** Whether rules have a board whose lines are shifted; another deck, after an @, makes no difference. */
export const hasShifts = (name) => Boolean(rulesNamed(name.split("@")[0])?.shifts);

/** Fill a list to choose from. */
export const fill = (select, options) => select.replaceChildren(...options.map(({ value, text }) => make("option", { value }, text)));

/** Fill a list of rule sets and choose one, also if somebody made it up. */
export function chooseRules(select, name, title = name) {
  const options = about.rules.map((rules) => ({ value: rules.name, text: rules.title }));
  if (!rulesNamed(name)) options.push({ value: name, text: title });
  fill(select, options);
  select.value = name;
}
