/**
 * The service worker, at /sw.js: where no server can be reached, a page says so. It keeps that page and its files, and
 * for who plays without a server those of the games; the server writes their names into the words in braces. Every
 * other page, and whatever is asked of the server, always comes from there. With other files it is another worker,
 * which takes the place of this one at once.
 */
const worker = /** @type {any} */ (globalThis);
const CACHE_NAME = new URL("{{static}}", worker.location.href).pathname;
// other sites may keep things at this address, too
const CACHE_PREFIX = CACHE_NAME.slice(0, CACHE_NAME.lastIndexOf("/") + 1);
const OFFLINE_PAGE = "/offline";
const PAGE_FILES = "{{files}}".split(" ");
const GAME_FILES = "{{later}}".split(" ");
const ALL_CACHED_MARKER = "/offline/all"; // kept where the later ones are

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
  await cache.put(ALL_CACHED_MARKER, new Response());
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(cachePage()));

worker.addEventListener("message", (/** @type {any} */ event) => {
  const tell = () => event.ports[0].postMessage("");
  event.waitUntil(cacheGames().then(tell, tell));
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
