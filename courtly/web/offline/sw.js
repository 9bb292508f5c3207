/**
 * The service worker, at /sw.js. If no server can be reached, it serves the offline page from its cache, and for
 * offline play the files of the games. The server replaces the words in double braces by the file names. All other
 * requests go to the server. If the files have changed, the script differs, and the new worker replaces this one at
 * once.
 */
const worker = /** @type {any} */ (globalThis);
const CACHE_NAME = new URL("{{static}}", worker.location.href).pathname;
// other sites may have caches at this origin
const CACHE_PREFIX = CACHE_NAME.slice(0, CACHE_NAME.lastIndexOf("/") + 1);
const OFFLINE_PAGE = "/offline";
const PAGE_FILES = "{{files}}".split(" ");
const GAME_FILES = "{{later}}".split(" ");
const COMPILED_GAMES = "{{compiled}}".split(" "); // a game that cannot be compiled has no files
const ALL_CACHED_MARKER = "/offline/all"; // cached after all game files

const openCache = () => caches.open(CACHE_NAME);
const matchCached = async (/** @type {Request | string} */ target) =>
  (await openCache()).match(target, { ignoreVary: true });

async function cachePage() {
  const cache = await openCache();
  await cache.addAll([OFFLINE_PAGE, ...PAGE_FILES]);
  if (await caches.match(ALL_CACHED_MARKER)) await cacheGames();
  await worker.skipWaiting();
}

async function cacheGames() {
  const cache = await openCache();
  if (await cache.match(ALL_CACHED_MARKER)) return;
  await cache.addAll(GAME_FILES);
  await Promise.allSettled(COMPILED_GAMES.map((path) => cache.add(path)));
  await cache.put(ALL_CACHED_MARKER, new Response());
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(cachePage()));

worker.addEventListener("message", (/** @type {any} */ event) => {
  const answer = (/** @type {boolean} */ isCached) => event.ports[0].postMessage(isCached);
  event.waitUntil(
    cacheGames().then(
      () => answer(true),
      () => answer(false),
    ),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate")
    event.respondWith(fetch(request).catch(async () => (await matchCached(OFFLINE_PAGE)) ?? Response.error()));
  else if (pathname.startsWith(`${CACHE_NAME}/`))
    event.respondWith(matchCached(request).then((/** @type {any} */ file) => file ?? fetch(request)));
});
