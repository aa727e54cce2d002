// The API, for programs: addresses of answers about the position on the board.

import { drawingUrl } from "./api.js";
import { showCopies } from "./share.js";

export function update({ shown, kind }) {
  const { path, subject } = kind();
  const query = subject(shown);
  const address = (url) => new URL(url, location.href).href;
  showCopies("programs-copies", {
    "Analysis of this position": address(`api/v1/${path}analysis?${new URLSearchParams(query)}`),
    "This game, with all positions": address(`api/v1/${path}game?${new URLSearchParams({ game: shown.game })}`),
    "This board as a picture": address(drawingUrl(path, query)),
  });
}
