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
const settings = { ...defaults };
for (const name of /** @type {(keyof Settings)[]} */ (Object.keys(defaults))) {
  try {
    settings[name] = localStorage.getItem(`courtly-${name}`) ?? "";
  } catch {
    /* not allowed to remember */
  }
}

/** @param {keyof Settings} name */
export const getSetting = (name) => settings[name];

/** @param {keyof Settings} name @param {string} value */
export function saveSetting(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(`courtly-${name}`, value);
  } catch {
    /* not allowed to remember */
  }
  applySettings();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener called after every change @param {AbortSignal} [until] */
export function onSettingChange(listener, until) {
  listeners.add(listener);
  until?.addEventListener("abort", () => listeners.delete(listener));
}

/** The system's language, asked for once: a browser makes its list anew each time. */
const systemLanguage = (navigator.languages.find((tag) => /^(ja|en)\b/.test(tag)) ?? "en").slice(0, 2);

export const currentLanguage = () => settings.language || systemLanguage;

/** How long animations take, as a multiple of their usual time; 0: none. */
export function animationScale() {
  const speed = settings.speed || (matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "normal");
  return { none: 0, fast: 0.4, normal: 1, slow: 1.8 }[speed] ?? 1;
}

/**
 * Is this a small screen, a phone or a tablet held upright? The same measure as in the style sheets, and so is the
 * next.
 */
export const isSmallScreen = () => matchMedia("(max-width: 960px)").matches;

/** Is there nothing that can hover? */
export const isTouchOnly = () => matchMedia("(hover: none)").matches;

const drawerQuery = matchMedia("(max-width: 1279px)");

/** Is there no room for the players and the log beside the board? Then the log is a drawer. */
export const isPanelDrawer = () => drawerQuery.matches;

/** @param {() => void} listener called when that changes @param {{signal: AbortSignal}} until */
export const onPanelDrawerChange = (listener, until) => drawerQuery.addEventListener("change", listener, until);

export function applySettings() {
  const root = document.documentElement;
  root.lang = currentLanguage();
  root.dataset.scheme = settings.scheme;
  root.dataset.size = settings.size;
  root.toggleAttribute("data-still", animationScale() === 0);
  const theme = document.querySelector('meta[name="theme-color"]');
  theme?.setAttribute("content", getComputedStyle(root).backgroundColor); // what the system draws around it
}
