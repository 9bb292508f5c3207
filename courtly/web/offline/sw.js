/**
 * The service worker, at /sw.js: where no server can be reached, a page says so. It keeps that page and its files, and
 * for who plays without a server those of the games; the server writes their names into the words in braces. Every
 * other page, and whatever is asked of the server, always comes from there. With other files it is another worker,
 * which takes the place of this one at once.
 */
const worker = /** @type {any} */ (globalThis);
const KEPT = new URL("{{static}}", worker.location.href).pathname;
const OURS = KEPT.slice(0, KEPT.lastIndexOf("/") + 1); // other sites may keep things at this address, too
const PAGE = "/offline";
const FILES = "{{files}}".split(" ");
const LATER = "{{later}}".split(" ");
const ALL = "/offline/all"; // kept where the later ones are

const kept = () => caches.open(KEPT);
const found = async (/** @type {Request | string} */ asked) => (await kept()).match(asked, { ignoreVary: true });

async function keep() {
  const cache = await kept();
  await cache.addAll([PAGE, ...FILES]);
  if (await caches.match(ALL)) await keepAll();
  await worker.skipWaiting();
}

async function keepAll() {
  const cache = await kept();
  if (await cache.match(ALL)) return;
  await cache.addAll(LATER);
  await cache.put(ALL, new Response());
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));

worker.addEventListener("message", (/** @type {any} */ event) => {
  const tell = () => event.ports[0].postMessage("");
  event.waitUntil(keepAll().then(tell, tell));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name.startsWith(OURS) && name !== KEPT).map((name) => caches.delete(name))),
      )
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate")
    event.respondWith(fetch(request).catch(async () => (await found(PAGE)) ?? Response.error()));
  else if (pathname.startsWith(`${KEPT}/`))
    event.respondWith(found(request).then((/** @type {any} */ file) => file ?? fetch(request)));
});
