/** The translated texts of the interface: the shell's Fluent catalogues and each game's, in the reader's language. */
import { FluentBundle, FluentNumber, FluentResource } from "fluent";
import { currentLanguage } from "./user-settings.js";

const LANGUAGES = ["en", "ja"];
const baseUrl = new URL("..", import.meta.url);
/** @type {Record<string, FluentBundle>} */
const bundles = Object.fromEntries(LANGUAGES.map((tag) => [tag, new FluentBundle(tag, { useIsolating: false })]));
/** The formats of lists that were needed so far. Making one takes time. @type {Map<string, Intl.ListFormat>} */
const listFormats = new Map();
/** @type {Map<string, Promise<boolean>>} */
const pendingCatalogues = new Map();

/** How many catalogues are loaded. A text may change when it grows. */
export let catalogueCount = 0;

const MAX_CACHED_TEXTS = 4000;
/**
 * Texts already formatted, by their id and arguments, for the language and the catalogues of `cacheVersion`.
 * @type {Map<string, string>}
 */
const textCache = new Map();
let cacheVersion = "";

// the first number format takes 100 ms on a slow phone: made while the page waits for its texts
setTimeout(() => new Intl.NumberFormat(currentLanguage()).format(0));

export { LANGUAGES };

/** Return the URL of a game's static files. @param {string} game */
export const gameUrl = (game) => new URL(`../games/${game}/`, baseUrl);

/**
 * Load the shell's texts and those of these games in the reader's language. A game without that language falls back to
 * another one.
 * @param {...string} games
 */
export async function loadCatalogues(...games) {
  await Promise.all(["", ...games].map(loadWithFallback));
}

/** @param {string} game */
async function loadWithFallback(game) {
  if (await fetchCatalogueOnce(game, currentLanguage())) return;
  await Promise.all(LANGUAGES.filter((tag) => tag !== currentLanguage()).map((tag) => fetchCatalogueOnce(game, tag)));
}

/** @param {string} game @param {string} tag @returns {Promise<boolean> | undefined} whether the catalogue exists */
function fetchCatalogueOnce(game, tag) {
  const url = new URL(`${tag}.ftl`, game ? gameUrl(game) : baseUrl).href;
  if (!pendingCatalogues.has(url)) {
    pendingCatalogues.set(
      url,
      fetch(url)
        .then(async (response) => {
          if (!response.ok) return false;
          bundles[tag].addResource(new FluentResource(await response.text()), { allowOverrides: true });
          catalogueCount++;
          return true;
        })
        .catch(() => {
          pendingCatalogues.delete(url);
          return false;
        }),
    );
  }
  return pendingCatalogues.get(url);
}

/** @param {string} id "message" or "message.attribute" */
function findPattern(id) {
  const [name, attribute] = id.split(".");
  for (const tag of new Set([currentLanguage(), ...LANGUAGES])) {
    const message = bundles[tag].getMessage(name);
    const found = attribute ? message?.attributes[attribute] : message?.value;
    if (found) return { bundle: bundles[tag], found };
  }
  return null;
}

/** @param {string} id */
export const hasText = (id) => findPattern(id) !== null;

/**
 * Return a text in the reader's language. A missing text gives its id, and a missing argument its name, so that nothing
 * throws.
 * @param {string} id @param {Record<string, any>} [args] strings and numbers
 */
export function t(id, args) {
  const version = `${currentLanguage()} ${catalogueCount}`;
  if (version !== cacheVersion || textCache.size >= MAX_CACHED_TEXTS) textCache.clear();
  cacheVersion = version;
  const key = args ? `${id} ${JSON.stringify(args)}` : id;
  const text = textCache.get(key) ?? formatText(id, args);
  textCache.set(key, text);
  return text;
}

/** @param {string} id @param {Record<string, any>} [args] @returns {string} */
function formatText(id, args) {
  const hit = findPattern(id);
  return hit ? joinUnits(hit.bundle.formatPattern(hit.found, args && withMinusSigns(args), [])) : id;
}

/** A negative number, written with a minus sign as wide as the plus sign. */
class MinusSignNumber extends FluentNumber {
  /** @param {any} scope */
  toString(scope) {
    return super.toString(scope).replace("-", "−");
  }
}

/** @param {Record<string, any>} args */
const withMinusSigns = (args) =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, value < 0 ? new MinusSignNumber(value) : value]),
  );

/**
 * Keep a number on one line with its unit and its sign: a space between them becomes a no-break space, and a Japanese
 * "＋" gets a word joiner.
 * @param {string} text
 */
const joinUnits = (text) =>
  text.replace(/(\d) (?=[\p{L}%])|(±) (?=\d)/gu, "$1$2\u00a0").replace(/＋(?=\d)/g, "＋\u2060");

/** @param {string[]} items @param {Intl.ListFormatOptions} options */
function joinItems(items, options) {
  if (items.length < 2) return items.join("");
  const key = `${currentLanguage()} ${options.type}`;
  const format = listFormats.get(key) ?? new Intl.ListFormat(currentLanguage(), options);
  listFormats.set(key, format);
  return format.format(items);
}

/** Join words to a list, as in "A, B and C". @param {string[]} items */
export const formatList = (items) => joinItems(items, { type: "conjunction", style: "narrow" });

/** Join words to alternatives, as in "A, B or C". @param {string[]} items */
export const formatAlternatives = (items) => joinItems(items, { type: "disjunction" });

/** Join facts about one thing, side by side. @param {string[]} texts */
export const joinParts = (texts) => texts.join(t("part-gap"));

/** Format a number. @param {number} n */
export const formatNumber = (n) => t("number", { n });

/** Format a number with a plus sign, also for 0. @param {number} n */
export const formatPlus = (n) => t("number-plus", { n });

/** Format a number with its sign. @param {number} n */
export const formatSigned = (n) => (n > 0 ? formatPlus(n) : formatNumber(n || 0)); // never "-0"

/**
 * Return "label: value"; without a value, "label:" for a value that is drawn after it.
 * @param {string} label @param {string | number} [value]
 */
export const formatLabelled = (label, value = "") => `${label}${t("colon")}${value}`;

const SENTENCE_END = /[.!?…。！？][)）”’」』]*$/;

/**
 * Return the text of what happened several times in a row: with the number if `format` puts `$times` into words, else
 * with "×" and the number after it.
 * @param {(times: number) => string} format @param {number} times
 */
export function formatRepeated(format, times) {
  const [once, many] = [format(1), format(times)];
  return once && times > 1 && many === once ? t("log-times", { what: once, times }) : many;
}

/** Join sentences, with or without closing punctuation. @param {string[]} parts */
export const joinSentences = (parts) =>
  parts.length
    ? parts.reduce((joined, next) => joined + t(SENTENCE_END.test(joined) ? "sentence-space" : "sentence-gap") + next)
    : "";

const RTL_CHARACTERS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Isolate a name of right-to-left script from the sentence around it. @param {string} name */
export const isolateBidi = (name) => (RTL_CHARACTERS.test(name) ? `\u2068${name}\u2069` : name);

/**
 * Convert arguments for the catalogue: `card: "fool"` becomes `$card` (its translated name) and `$card_id`, and a seat
 * becomes its player's name.
 * @param {string} game @param {Record<string, any>} args @param {Record<string, {seat: boolean}>} kinds
 * @param {(seat: number) => string} name
 */
export function translateArgs(game, args, kinds, name) {
  /** @type {Record<string, any>} */
  const result = {};
  for (const [key, value] of Object.entries(args)) {
    result[key] = value;
    if (kinds[key]?.seat) {
      result[key] = name(value);
      result[`${key}_id`] = value;
    } else if (typeof value === "string") {
      result[key] = hasText(`${game}-${key}-${value}`) ? t(`${game}-${key}-${value}`) : value;
      result[`${key}_id`] = value;
    }
  }
  return result;
}
