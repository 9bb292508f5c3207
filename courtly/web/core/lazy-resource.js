/** Resources that are fetched when they are first drawn. */

/** @type {Map<string, {value?: unknown}>} */
const resources = new Map();

/**
 * Return the resource, undefined while it is loading, or null if it could not be loaded.
 * @param {string} key @param {() => Promise<unknown>} fetch @param {() => void} then called after loading or failure
 */
export function fetchOnce(key, fetch, then) {
  const cached = resources.get(key);
  if (cached) return cached.value;
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
