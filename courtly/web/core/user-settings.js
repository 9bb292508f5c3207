/** The settings that this browser stores. If storage is not allowed (private window), they last as long as the page. */

/** @typedef {{language: string, scheme: string, speed: string, plain: string, bot: string, odds: string,
 *   sound: string, sounds: string, system: string, muted: string, colour: string, clock: string, size: string,
 *   keys: string, hints: string
 * }} Settings */

/** @type {Settings} "": the system's setting, or the default */
const defaults = {
  language: "",
  scheme: "",
  speed: "",
  plain: "",
  bot: "",
  odds: "",
  sound: "",
  sounds: "",
  system: "",
  muted: "",
  colour: "",
  clock: "",
  size: "",
  keys: "",
  hints: "",
};
/** @type {Set<() => void>} */
const listeners = new Set();
const settings = { ...defaults };
for (const name of /** @type {(keyof Settings)[]} */ (Object.keys(defaults))) {
  try {
    settings[name] = localStorage.getItem(`courtly-${name}`) ?? "";
  } catch {
    /* storage is not allowed */
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
    /* storage is not allowed */
  }
  applySettings();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener called after every change @param {AbortSignal} [until] */
export function onSettingChange(listener, until) {
  listeners.add(listener);
  until?.addEventListener("abort", () => listeners.delete(listener));
}

/** The system's language, read once because browsers rebuild `navigator.languages` at each access. */
const systemLanguage = (navigator.languages.find((tag) => /^(ja|en)\b/.test(tag)) ?? "en").slice(0, 2);

export const currentLanguage = () => settings.language || systemLanguage;

const reducedMotionQuery = matchMedia("(prefers-reduced-motion: reduce)");
const smallScreenQuery = matchMedia("(max-width: 960px)");
const noHoverQuery = matchMedia("(hover: none)");
const drawerQuery = matchMedia("(max-width: 1279px)");

/** Return the factor by which animation times are multiplied; 0 disables animations. */
export function animationScale() {
  const speed = settings.speed || (reducedMotionQuery.matches ? "none" : "normal");
  return { none: 0, fast: 0.4, normal: 1, slow: 1.8 }[speed] ?? 1;
}

/** Return whether the screen is small: a phone, or a tablet in portrait. The style sheets use the same breakpoints. */
export const isSmallScreen = () => smallScreenQuery.matches;

/** Return whether no pointing device can hover. */
export const isTouchOnly = () => noHoverQuery.matches;

/** Return whether the panel of players and log is a drawer, for lack of room beside the board. */
export const isPanelDrawer = () => drawerQuery.matches;

/** @param {() => void} listener called when `isPanelDrawer` changes @param {{signal: AbortSignal}} signal */
export const onPanelDrawerChange = (listener, signal) => drawerQuery.addEventListener("change", listener, signal);

export function applySettings() {
  const root = document.documentElement;
  root.lang = currentLanguage();
  root.dataset.scheme = settings.scheme;
  root.dataset.size = settings.size;
  root.toggleAttribute("data-still", animationScale() === 0);
  const theme = document.querySelector('meta[name="theme-color"]');
  theme?.setAttribute("content", getComputedStyle(root).backgroundColor); // the colour of the browser's own bars
}
