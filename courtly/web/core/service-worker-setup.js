/** Has the browser keep what it shows where no server can be reached: see sw.js. */

// sw.js lies where the pages begin: beside the folder s
const WORKER_PATHS = ["../../../../sw.js", "../offline/python-worker.js"].map(
  (path) => new URL(path, import.meta.url).pathname,
);
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("courtly", {
  createScriptURL: (/** @type {string} */ path) => {
    if (!WORKER_PATHS.includes(path)) throw new TypeError(path);
    return path;
  },
});

/** The path of a worker, as something that may be run. @param {string} path */
export const trustedScriptUrl = (path) => (policy ? policy.createScriptURL(path) : path);

/** Browsers allow it to sites with a certificate, and to this device's own; some people allow it to none. */
export async function registerServiceWorker() {
  await navigator.serviceWorker
    ?.register(trustedScriptUrl(WORKER_PATHS[0]), { updateViaCache: "none" })
    .catch(() => {});
}

/** What is played with too; where nothing may be kept, it is fetched when it is needed. @returns {Promise<void>} */
export async function cacheOfflineFiles() {
  const workers = navigator.serviceWorker;
  await registerServiceWorker();
  if (!(await workers?.getRegistration())) return;
  const { active } = await workers.ready;
  const { port1, port2 } = new MessageChannel();
  await new Promise((done) => {
    port1.onmessage = done;
    active?.postMessage("all", [port2]);
  });
}
