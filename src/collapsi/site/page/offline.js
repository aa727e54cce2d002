// A service worker that serves the page without a network: it caches all files of a version.

const VERSION = "@VERSION@";
const FILES = "@FILES@";
const NAME = `collapsi ${VERSION}`;

self.addEventListener("install", (event) => {
  const fresh = FILES.split(" ").map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  const old = async () => (await caches.keys()).filter((name) => name.startsWith("collapsi ") && name !== NAME);
  event.waitUntil(old().then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const page = event.request.mode === "navigate" ? "index.html" : event.request;
  const kept = caches.open(NAME).then((cache) => cache.match(page, { ignoreSearch: true }));
  event.respondWith(kept.then((found) => found ?? fetch(event.request)));
});
