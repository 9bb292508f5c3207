/** Every word on the screen: Fluent catalogues, the shell's own and each game's, in the reader's language. */
import { FluentBundle, FluentNumber, FluentResource } from "fluent";
import { language } from "./user-settings.js";

const LANGUAGES = ["en", "ja"];
const here = new URL("..", import.meta.url);
/** @type {Record<string, FluentBundle>} */
const bundles = Object.fromEntries(LANGUAGES.map((tag) => [tag, new FluentBundle(tag, { useIsolating: false })]));
/** @type {Record<string, Intl.ListFormat>} */
const lists = Object.fromEntries(LANGUAGES.map((tag) => [tag, new Intl.ListFormat(tag, { style: "narrow" })]));
/** @type {Record<string, Intl.ListFormat>} */
const alternatives = Object.fromEntries(
  LANGUAGES.map((tag) => [tag, new Intl.ListFormat(tag, { type: "disjunction" })]),
);
/** @type {Map<string, Promise<boolean>>} */
const loading = new Map();

/** How many have been read: what was said before may be said better now. */
export let catalogues = 0;

export { LANGUAGES };

/** Where a game's files are. @param {string} game */
export const folder = (game) => new URL(`../games/${game}/`, here);

/**
 * Load the words of the shell (no game named) or of a game in the reader's language; where a game does not speak it, in
 * another.
 * @param {...string} games
 */
export async function load(...games) {
  await Promise.all(["", ...games].map(spoken));
}

/** @param {string} game */
async function spoken(game) {
  if (await fetchOnce(game, language())) return;
  await Promise.all(LANGUAGES.filter((tag) => tag !== language()).map((tag) => fetchOnce(game, tag)));
}

/** @param {string} game @param {string} tag @returns {Promise<boolean> | undefined} whether there are such words */
function fetchOnce(game, tag) {
  const url = new URL(`${tag}.ftl`, game ? folder(game) : here).href;
  if (!loading.has(url)) {
    loading.set(
      url,
      fetch(url)
        .then(async (answer) => {
          if (!answer.ok) return false;
          bundles[tag].addResource(new FluentResource(await answer.text()), { allowOverrides: true });
          catalogues++;
          return true;
        })
        .catch(() => {
          loading.delete(url);
          return false;
        }),
    );
  }
  return loading.get(url);
}

/** @param {string} id "message" or "message.attribute" */
function pattern(id) {
  const [name, attribute] = id.split(".");
  for (const tag of new Set([language(), ...LANGUAGES])) {
    const message = bundles[tag].getMessage(name);
    const found = attribute ? message?.attributes[attribute] : message?.value;
    if (found) return { bundle: bundles[tag], found };
  }
  return null;
}

/** @param {string} id */
export const has = (id) => pattern(id) !== null;

/**
 * A text in the reader's language. A missing one is its own id, a missing argument shows as such: nothing breaks.
 * @param {string} id @param {Record<string, any>} [args]
 */
export function t(id, args) {
  const hit = pattern(id);
  return hit ? tied(hit.bundle.formatPattern(hit.found, args && signs(args), [])) : id;
}

/** A number below 0: its minus is as wide as a plus. */
class Negative extends FluentNumber {
  /** @param {any} scope */
  toString(scope) {
    return super.toString(scope).replace("-", "−");
  }
}

/** @param {Record<string, any>} args */
const signs = (args) =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, value < 0 ? new Negative(value) : value]));

/** A number and what it counts stay on one line. @param {string} text */
const tied = (text) => text.replace(/(\d) (?=\p{L})/gu, "$1\u00a0");

/** Words one after another, as the reader's language parts them. @param {string[]} words */
export const list = (words) => lists[language()].format(words);

/** "A or B". @param {string[]} words */
export const choices = (words) => alternatives[language()].format(words);

/** What is told of one thing, side by side. @param {string[]} told */
export const parts = (told) => told.join(t("part-gap"));

/** A number. @param {number} n */
export const number = (n) => t("number", { n });

/** A number with a plus, 0 too. @param {number} n */
export const plus = (n) => t("number-plus", { n });

/** A number with its sign. @param {number} n */
export const signed = (n) => (n > 0 ? plus(n) : number(n));

/** A label and its value; none where that is drawn after it. @param {string} label @param {string | number} [value] */
export const labelled = (label, value = "") => `${label}${t("colon")}${value}`;

const ENDED = /[.!?…。！？][)）”’」』]*$/;

/** Sentences, with an end of their own or without, one after another. @param {string[]} parts */
export const sentences = (parts) =>
  parts.length
    ? parts.reduce((said, next) => said + t(ENDED.test(said) ? "sentence-space" : "sentence-gap") + next)
    : "";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A name as it may stand inside a sentence of another direction. @param {string} name */
export const isolated = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/**
 * Arguments as the catalogue wants them: `card: "fool"` becomes `$card` in words and `$card_id`, a seat becomes its
 * player's name.
 * @param {string} game @param {Record<string, any>} args @param {Record<string, {seat: boolean}>} kinds
 * @param {(seat: number) => string} name
 */
export function words(game, args, kinds, name) {
  /** @type {Record<string, any>} */
  const out = {};
  for (const [key, value] of Object.entries(args)) {
    out[key] = value;
    if (kinds[key]?.seat) {
      out[key] = name(value);
      out[`${key}_id`] = value;
    } else if (typeof value === "string") {
      out[key] = has(`${game}-${key}-${value}`) ? t(`${game}-${key}-${value}`) : value;
      out[`${key}_id`] = value;
    }
  }
  return out;
}
