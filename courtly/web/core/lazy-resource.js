/** Things that are fetched the first time they are drawn. */

/** @type {Map<string, {value?: unknown}>} */
const resources = new Map();

/**
 * The thing, or undefined while it is on its way; null if it could not be had.
 * @param {string} key @param {() => Promise<unknown>} fetch @param {() => void} then called when it has come
 */
export function fetchOnce(key, fetch, then) {
  const known = resources.get(key);
  if (known) return known.value;
  /** @type {{value?: unknown}} */
  const resource = {};
  resources.set(key, resource);
  fetch()
    .catch(() => null)
    .then((value) => {
      resource.value = value;
      then();
    });
  return undefined;
}
