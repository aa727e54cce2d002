// Questions to the service. All that the page knows of the game comes through here.

const kept = new Map(); // answers that never change, so that stepping through a game asks once
const MOST_KEPT = 500;

export class Problem extends Error {}

/** Ask; `fresh` is for what may be another answer next time. */
export async function ask(path, query = {}, { fresh = false } = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const url = `api/v1/${path}?${new URLSearchParams(given)}`;
  if (!fresh && kept.has(url)) return kept.get(url);
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Problem("The service does not answer: is “collapsi serve” still running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(answer.detail ?? `The service refused (${response.status}).`);
  if (!fresh) {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(url, answer);
  }
  return answer;
}

export const drawingUrl = (query) => `api/v1/drawing?${new URLSearchParams(query)}`;
