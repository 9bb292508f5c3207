/**
 * Japanese breaks between phrases. A browser that knows `word-break: auto-phrase` sees to it (style/parts.css); for
 * others, invisible spaces are set between the phrases of what is drawn, and the page breaks there alone. Titles and
 * labels stay as they are.
 */
import { html } from "lit";
import { currentLanguage } from "./user-settings.js";

const ZERO_WIDTH_SPACE = "\u200b";
const JAPANESE_TEXT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u;
const EXCLUDED_SELECTOR = "script, style, code, input, textarea, select, svg, .name";

/** @type {Promise<(text: string) => string[]> | undefined} */
let parserPromise;

/**
 * Load what finds phrases, and keep to them from now on: once, as soon as somebody reads Japanese in a browser that
 * needs it.
 */
export async function enablePhraseBreaks() {
  if (parserPromise || currentLanguage() !== "ja" || CSS.supports("word-break", "auto-phrase")) return;
  parserPromise = import("budoux").then(
    ({ japanese }) =>
      (/** @type {string} */ text) =>
        japanese.parse(text),
  );
  const parse = await parserPromise.catch(() => undefined);
  if (!parse) return; // the server was away: lines break as they may
  document.documentElement.toggleAttribute("data-phrases", true);
  const see = (/** @type {Node} */ node) => {
    if (node instanceof Text) insertBreaks(node, parse);
    else if (node instanceof Element && !node.matches(EXCLUDED_SELECTOR)) node.childNodes.forEach(see);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) (type === "childList" ? addedNodes : [target]).forEach(see);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  see(document.body);
}

/** @param {Text} node @param {(text: string) => string[]} parse */
function insertBreaks(node, parse) {
  if (
    !JAPANESE_TEXT.test(node.data) ||
    node.data.includes(ZERO_WIDTH_SPACE) ||
    node.parentElement?.closest(EXCLUDED_SELECTOR)
  )
    return;
  const spaced = parse(node.data).join(ZERO_WIDTH_SPACE);
  if (spaced !== node.data) node.data = spaced; // setting it is a change of its own
}

/**
 * A title or a name that may part between words; in Japanese a new one begins where hiragana or katakana ends.
 * @param {string} title
 */
export const renderBreakable = (title) =>
  title
    .replaceAll("\u00a0", " ")
    .split(/(?<=[\p{sc=Hiragana}・])(?=[\p{sc=Katakana}\p{sc=Han}])|(?<=\p{sc=Katakana})(?=\p{sc=Han})/u)
    .map((word, i) => (i ? html`<wbr>${word}` : word));
