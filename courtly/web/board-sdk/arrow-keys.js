/**
 * A map for the keyboard: one of its places can be reached by Tab, and the arrow keys go from place to place. While
 * some places are open to a move, they go among those; with Shift always among all.
 */

/**
 * @typedef {import("./board-context.js").BoardContext} BoardContext
 * @typedef {import("./pan-zoom.js").Point} Point
 */

const SIDEWAYS_COST = 2; // of a px beside the direction, compared to one along it
/** @type {Record<string, Point>} */
const DIRECTIONS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Return the place that Tab leads to: the one last focused, unless only others are open, or else the first.
 * @param {BoardContext} ui @param {string[]} places the keys of all places
 * @param {string[]} open the keys of those open to a move
 */
export function findTabStop({ pageState }, places, open) {
  const among = open.length ? open : places;
  return among.includes(pageState.place) ? pageState.place : among[0];
}

/**
 * Return the handlers of the element that contains the places.
 * @param {BoardContext} ui @param {string} places selector of a place
 * @param {(place: Element) => string | null | undefined} keyOf
 */
export function mapKeyHandlers(ui, places, keyOf) {
  const placeAt = (/** @type {EventTarget | null} */ target) =>
    /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest(places));
  return {
    focus: (/** @type {FocusEvent} */ { target }) => {
      const place = placeAt(target);
      const key = place && keyOf(place);
      if (!key || ui.pageState.place === key) return;
      ui.pageState.place = key;
      ui.setLocal({});
    },
    press: (/** @type {KeyboardEvent} */ event) => {
      const direction = DIRECTIONS[event.key];
      const here = placeAt(event.target);
      if (!direction || !here || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      const all = [.../** @type {Element} */ (event.currentTarget).querySelectorAll(places)];
      const open = all.filter((place) => place.matches(".open"));
      nearest(here, event.shiftKey || !open.length ? all : open, direction)?.focus();
    },
  };
}

/** @param {Element} place @returns {Point} */
function centre(place) {
  const { left, right, top, bottom } = place.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/**
 * Return the nearest of these places in a direction.
 * @param {Element} here @param {Element[]} places @param {Point} direction @returns {any}
 */
function nearest(here, places, { x, y }) {
  const from = centre(here);
  const found = places.map((place) => {
    const to = centre(place);
    const along = (to.x - from.x) * x + (to.y - from.y) * y;
    const beside = Math.abs((to.x - from.x) * y) + Math.abs((to.y - from.y) * x);
    return { place, along, cost: along + SIDEWAYS_COST * beside };
  });
  return found.filter(({ along }) => along > 1).sort((a, b) => a.cost - b.cost)[0]?.place;
}
