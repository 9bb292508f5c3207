/** What this browser remembers of its reader. A private window may refuse to remember; then it holds for the page. */

/** @typedef {{language: string, scheme: string, speed: string, plain: string, bot: string, odds: string,
 *   sound: string, system: string, muted: string, colour: string, clock: string, size: string, keys: string
 * }} Settings */

/** @type {Settings} "" means: as the system says, or what is usual */
const defaults = {
  language: "",
  scheme: "",
  speed: "",
  plain: "",
  bot: "",
  odds: "",
  sound: "",
  system: "",
  muted: "",
  colour: "",
  clock: "",
  size: "",
  keys: "",
};
/** @type {Set<() => void>} */
const listeners = new Set();
const current = { ...defaults };
for (const name of /** @type {(keyof Settings)[]} */ (Object.keys(defaults))) {
  try {
    current[name] = localStorage.getItem(`courtly-${name}`) ?? "";
  } catch {
    /* not allowed to remember */
  }
}

/** @param {keyof Settings} name */
export const setting = (name) => current[name];

/** @param {keyof Settings} name @param {string} value */
export function set(name, value) {
  current[name] = value;
  try {
    localStorage.setItem(`courtly-${name}`, value);
  } catch {
    /* not allowed to remember */
  }
  apply();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener called after every change @param {AbortSignal} [until] */
export function onSetting(listener, until) {
  listeners.add(listener);
  until?.addEventListener("abort", () => listeners.delete(listener));
}

/** The system's language, asked for once: a browser makes its list anew each time. */
const system = (navigator.languages.find((tag) => /^(ja|en)\b/.test(tag)) ?? "en").slice(0, 2);

export const language = () => current.language || system;

/** How long animations take, as a multiple of their usual time; 0: none. */
export function pace() {
  const speed = current.speed || (matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "normal");
  return { none: 0, fast: 0.4, normal: 1, slow: 1.8 }[speed] ?? 1;
}

/**
 * Is this a small screen, a phone or a tablet held upright? The same measure as in the style sheets, and so is the
 * next.
 */
export const phone = () => matchMedia("(max-width: 960px)").matches;

/** Is there nothing that can hover? */
export const touch = () => matchMedia("(hover: none)").matches;

const narrow = matchMedia("(max-width: 1279px)");

/** Is there no room for the players and the log beside the board? Then the log is a drawer. */
export const crowded = () => narrow.matches;

/** @param {() => void} listener called when that changes @param {{signal: AbortSignal}} until */
export const onCrowding = (listener, until) => narrow.addEventListener("change", listener, until);

export function apply() {
  const root = document.documentElement;
  root.lang = language();
  root.dataset.scheme = current.scheme;
  root.dataset.size = current.size;
  root.toggleAttribute("data-still", pace() === 0);
  const theme = document.querySelector('meta[name="theme-color"]');
  theme?.setAttribute("content", getComputedStyle(root).backgroundColor); // what the system draws around it
}
