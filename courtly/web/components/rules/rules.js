/** The rules, beside the table or on their own page: a game's rules.<language>.md rendered as elements. */
import { html, nothing } from "lit";
import { fetchOnce } from "../../core/lazy-resource.js";
import { currentLanguage } from "../../core/user-settings.js";
import { gameUrl, formatList, t } from "../../core/i18n.js";

/** @typedef {import("../../core/api-types.js").GameInfo} About */
/**
 * @typedef {{type: string, tokens?: Token[], text?: string, depth?: number, ordered?: boolean, items?: Token[],
 *   href?: string, header?: Token[], rows?: Token[][], raw?: string, start?: number | "", id?: string}} Token
 */

/**
 * @param {About} about @param {() => void} refresh called when they have loaded
 * @param {ExampleRenderer} [example] draws a step of the lesson; without it, examples are left out
 */
export function renderRules(about, refresh, example = () => nothing) {
  const tokens = loadTokens(about.id, refresh);
  return html`<article class="rules" translate="yes">${
    tokens === undefined
      ? html`<p class="quiet">${t("loading")}</p>`
      : tokens
        ? renderBlocks(tokens, example)
        : html`<p>${t("rules-missing")}</p>`
  }
    ${renderCredits(about)}</article>`;
}

/** Return the headings of the rules' parts. @param {About} about @param {() => void} refresh */
export const listParts = (about, refresh) =>
  (loadTokens(about.id, refresh) ?? [])
    .filter(isPart)
    .map((token) => ({ id: token.id, heading: renderInline(token.tokens ?? []) }));

/** @param {Token} token */
const isPart = (token) => token.type === "heading" && token.depth === 2;

/** @param {string} game @param {() => void} refresh */
const loadTokens = (game, refresh) =>
  /** @type {Token[] | null | undefined} */ (
    fetchOnce(`rules ${game} ${currentLanguage()}`, () => fetchRules(game), refresh)
  );

/** Resolve when the rules can be rendered at once. @param {string} game @returns {Promise<void>} */
export const waitForRules = (game) =>
  new Promise((done) => {
    if (loadTokens(game, done) !== undefined) done();
  });

/** @param {string[]} names */
const formatNames = (names) => formatList(names) || "none";

/** @param {About} about */
export const renderCredits = (about) => html`<footer class="credits"><h3>${t("credits")}</h3>
  <p>${t("credits-game", {
    title: t(about.id),
    year: String(about.year),
    designers: formatNames(about.designers),
    publishers: formatNames(about.publishers),
  })}</p>
  <p>${t("credits-unofficial")}</p></footer>`;

/**
 * A Markdown extension: bold between two pairs of asterisks, whatever characters are adjacent. Standard Markdown
 * requires spaces or punctuation, which Japanese does not have between words and brackets.
 * @this {{lexer: {inlineTokens: (text: string) => any[]}}} @param {string} source
 */
function tokenizeBold(source) {
  const boldMatch = /^\*\*(?!\s)((?:[^*]|\*(?!\*))+?)(?<!\s)\*\*/.exec(source);
  return boldMatch
    ? { type: "strong", raw: boldMatch[0], text: boldMatch[1], tokens: this.lexer.inlineTokens(boldMatch[1]) }
    : undefined;
}

/** The options of the Markdown parser. */
const MARKDOWN_OPTIONS = {
  gfm: true,
  extensions: {
    renderers: {},
    childTokens: {},
    inline: [tokenizeBold],
    startInline: [(/** @type {string} */ source) => source.indexOf("**")],
  },
};

/** Parse the rules of a file. @param {string} text @returns {Promise<Token[]>} */
export async function parseRules(text) {
  const { lexer } = await import("markdown");
  return /** @type {Token[]} */ (lexer(text, MARKDOWN_OPTIONS));
}

/** @param {string} game */
async function fetchRules(game) {
  const response = await fetch(new URL(`rules.${currentLanguage()}.md`, gameUrl(game)));
  if (!response.ok) return null;
  const parsedTokens = await parseRules(await response.text());
  parsedTokens.filter(isPart).forEach((token, i) => {
    token.id = `part-${i + 1}`;
  });
  return parsedTokens;
}

/** @typedef {(step: string, caption: string) => unknown} ExampleRenderer */

/** @param {Token[]} tokens @param {ExampleRenderer} example @returns {unknown[]} */
const renderBlocks = (tokens, example) => tokens.map((token) => renderBlock(token, example));

/**
 * Render a Markdown token as elements, so that no HTML of the file is inserted.
 * @param {Token} token @param {ExampleRenderer} example @returns {unknown}
 */
function renderBlock(token, example) {
  const renderTokens = () => renderInline(token.tokens ?? []);
  switch (token.type) {
    case "heading":
      return token.depth === 1
        ? html`<h2>${renderTokens()}</h2>`
        : token.depth === 2
          ? html`<h3 id=${token.id ?? nothing}>${renderTokens()}</h3>`
          : html`<h4>${renderTokens()}</h4>`;
    case "paragraph":
      if (token.tokens?.length === 1 && token.tokens[0].href?.startsWith("lesson:"))
        return example(token.tokens[0].href.slice("lesson:".length), token.tokens[0].text ?? "");
      return html`<p>${renderTokens()}</p>`;
    case "text":
      return token.tokens ? renderTokens() : token.text;
    case "list": {
      const items = (token.items ?? []).map((item) => html`<li>${renderBlocks(item.tokens ?? [], example)}</li>`);
      return token.ordered ? html`<ol start=${token.start || 1}>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case "blockquote":
      return html`<blockquote>${renderBlocks(token.tokens ?? [], example)}</blockquote>`;
    case "table":
      return html`<div class="wide" tabindex="0"><table>
      <thead><tr>${token.header?.map((cell) =>
        cell.text ? html`<th scope="col">${renderInline(cell.tokens ?? [])}</th>` : html`<td></td>`,
      )}</tr></thead>
      <tbody>${token.rows?.map(
        (row) => html`<tr>${row.map((cell) => html`<td>${renderInline(cell.tokens ?? [])}</td>`)}</tr>`,
      )}</tbody></table></div>`;
    case "hr":
      return html`<hr>`;
    case "code":
      return html`<pre>${token.text}</pre>`;
    default:
      return nothing;
  }
}

const HTML_ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'" };
/** @param {string | undefined} text */
const unescapeHtml = (text = "") =>
  text.replace(
    /&(lt|gt|amp|quot|#39);/g,
    (entity) => HTML_ENTITIES[/** @type {keyof typeof HTML_ENTITIES} */ (entity)],
  );

/** @param {Token[]} tokens @returns {unknown[]} */
const renderInline = (tokens) =>
  tokens.map((token) => {
    const renderTokens = () => renderInline(token.tokens ?? []);
    switch (token.type) {
      case "strong":
        return html`<strong>${renderTokens()}</strong>`;
      case "em":
        return html`<em>${renderTokens()}</em>`;
      case "codespan":
        return html`<code>${unescapeHtml(token.text)}</code>`;
      case "br":
        return html`<br>`;
      case "link":
        return /^(https?:|#|\/)/.test(token.href ?? "")
          ? html`<a href=${token.href} rel="noreferrer" target="_blank">${renderTokens()}</a>`
          : renderTokens();
      case "html":
        return html`<span data-tells=${/^<!-- (.*) -->$/.exec(token.raw ?? "")?.[1] ?? nothing}></span>`;
      default:
        return token.tokens ? renderTokens() : unescapeHtml(token.text);
    }
  });
