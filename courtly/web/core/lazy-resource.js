/** Things that are fetched the first time they are drawn. */

/** @type {Map<string, {value?: unknown}>} */
const things = new Map();

/**
 * The thing, or undefined while it is on its way; null if it could not be had.
 * @param {string} key @param {() => Promise<unknown>} fetch @param {() => void} then called when it has come
 */
export function arrive(key, fetch, then) {
  const known = things.get(key);
  if (known) return known.value;
  /** @type {{value?: unknown}} */
  const thing = {};
  things.set(key, thing);
  fetch()
    .catch(() => null)
    .then((value) => {
      thing.value = value;
      then();
    });
  return undefined;
}
