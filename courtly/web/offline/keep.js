/** Has the browser keep what it shows where no server can be reached: see sw.js. */

const WORKER = "/sw.js";
const trusted = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("courtly", {
  createScriptURL: (/** @type {string} */ path) => {
    if (path !== WORKER) throw new TypeError(path);
    return path;
  },
});

/** Browsers allow it to sites with a certificate, and to this device's own. */
export async function keepPage() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const path = trusted ? trusted.createScriptURL(WORKER) : WORKER;
  await workers.register(path, { updateViaCache: "none" }).catch(() => {}); // not allowed to remember
}
