// The API, for programs: addresses of answers about the position on the board.

import { drawingUrl } from "./api.js";
import { showCopies } from "./share.js";

export function update({ shown, kind }) {
  const { path, subject } = kind();
  const query = subject(shown);
  const address = (url) => new URL(url, location.href).href;
  showCopies("programs-copies", {
    Analysis: address(`api/v1/${path}analysis?${new URLSearchParams(query)}`),
    "Game with all positions": address(`api/v1/${path}game?${new URLSearchParams({ game: shown.game })}`),
    "Board as a picture": address(drawingUrl(path, query)),
  });
}
