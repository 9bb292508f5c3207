/** Registers the service worker, which caches the offline page: see sw.js. */

// sw.js is served from the site's root, beside the folder s
const WORKER_PATHS = ["../../../../sw.js", "../local/game-worker.js"].map(
  (path) => new URL(path, import.meta.url).pathname,
);
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("courtly", {
  createScriptURL: (/** @type {string} */ path) => {
    if (!WORKER_PATHS.includes(path)) throw new TypeError(path);
    return path;
  },
});

/** Return the path of a worker as a trusted script URL. @param {string} path */
export const trustedScriptUrl = (path) => (policy ? policy.createScriptURL(path) : path);

/** Register the service worker. Browsers allow this only on HTTPS and localhost, and users may forbid it. */
export async function registerServiceWorker() {
  await navigator.serviceWorker
    ?.register(trustedScriptUrl(WORKER_PATHS[0]), { updateViaCache: "none" })
    .catch(() => {});
}

/**
 * Cache the files of offline play. If caching is not allowed, they are fetched when needed.
 * @returns {Promise<boolean>} whether all are cached
 */
export async function cacheOfflineFiles() {
  const workers = navigator.serviceWorker;
  await registerServiceWorker();
  if (!(await workers?.getRegistration())) return false;
  const { active } = await workers.ready;
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = ({ data }) => done(data);
    active?.postMessage("all", [port2]);
  });
}
