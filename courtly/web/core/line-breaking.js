/**
 * Line breaks between phrases in Japanese. Browsers with `word-break: auto-phrase` do this natively (style/parts.css).
 * For others, zero-width spaces are inserted between phrases, and lines break only there. Titles and labels are not
 * changed.
 */
import { html } from "lit";
import { currentLanguage } from "./user-settings.js";

const ZERO_WIDTH_SPACE = "\u200b";
const JAPANESE_TEXT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u;
const EXCLUDED_SELECTOR = "script, style, code, input, textarea, select, svg, .name";

/** @type {Promise<(text: string) => string[]> | undefined} */
let parserPromise;

/**
 * Load the phrase parser and apply it to everything drawn from now on. Does nothing unless the language is Japanese and
 * the browser lacks phrase breaking. Runs once.
 */
export async function enablePhraseBreaks() {
  if (parserPromise || currentLanguage() !== "ja" || CSS.supports("word-break", "auto-phrase")) return;
  parserPromise = import("budoux").then(
    ({ japanese }) =>
      (/** @type {string} */ text) =>
        japanese.parse(text),
  );
  const parse = await parserPromise.catch(() => undefined);
  if (!parse) return; // the parser could not be loaded: keep the browser's own line breaks
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
  const spacedText = parse(node.data)
    .join(ZERO_WIDTH_SPACE)
    .replace(/(?<=[+＋±−]\u2060?)\u200b(?=\d)/g, "");
  if (spacedText !== node.data) node.data = spacedText; // assigning triggers another mutation event
}

/**
 * Allow a title or name to break between words; in Japanese, where hiragana or katakana ends.
 * @param {string} title
 */
export const renderBreakable = (title) =>
  title
    .replaceAll("\u00a0", " ")
    .split(/(?<=[\p{sc=Hiragana}・])(?=[\p{sc=Katakana}\p{sc=Han}])|(?<=\p{sc=Katakana})(?=\p{sc=Han})/u)
    .map((word, i) => (i ? html`<wbr>${word}` : word));
