// Dates of the person's own calendar, written as 2026-10-02.

const written = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

export const today = () => written(new Date());
export const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text);

/** The date some days after another one, or before it. */
export function daysAfter(text, days) {
  const [year, month, date] = text.split("-").map(Number);
  return written(new Date(year, month - 1, date + days));
}
