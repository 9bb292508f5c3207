/** A live example in the rules: a step of the game's lesson, drawn by its board; the lesson itself has it to try. */
import { html, nothing } from "lit";
import { arrive } from "../../core/lazy-resource.js";
import { ask } from "../../core/http-client.js";
import { loadBoard } from "../../board-sdk/load-board.js";
import { phone } from "../../core/user-settings.js";
import { t } from "../../core/i18n.js";
import { Ui } from "../../board-sdk/board-context.js";

/**
 * @typedef {import("../../core/api-types.js").GameInfo} About
 * @typedef {import("../../core/api-types.js").LessonStep} LessonStep
 */
/** @typedef {{board: import("../../board-sdk/board-types.js").Board, ui: Ui}} Drawn */

/**
 * On a phone, where a board would be too small beside the words, there is the way to the lesson alone.
 * @param {About} about @param {string} say @param {string} caption @param {() => void} refresh
 */
export function example(about, say, caption, refresh) {
  const way = `/learn/${about.id}?at=${say}`;
  const words = html`<figcaption>${caption} <a href=${way}>${t("lesson-try")}</a></figcaption>`;
  if (phone()) return html`<figure class="example">${words}</figure>`;
  const fetched = arrive(`example ${about.id} ${say}`, () => fetchExample(about, say, refresh), refresh);
  const drawn = /** @type {Drawn | null | undefined} */ (fetched);
  if (drawn === null) return nothing;
  return html`<figure class="example"><div class="frame" inert><div class="board of-game">${
    drawn?.ui.view ? drawn.board.board?.(drawn.ui.view, drawn.ui) : nothing
  }</div></div>
    ${words}</figure>`;
}

/** @param {About} about @param {string} say @param {() => void} refresh @returns {Promise<Drawn>} */
async function fetchExample(about, say, refresh) {
  /** @type {[LessonStep, Awaited<ReturnType<typeof loadBoard>>]} */
  const [step, { board }] = await Promise.all([
    ask("POST", `/api/games/${about.id}/lesson`, { at: say }),
    loadBoard(about.id, Promise.resolve(about)),
  ]);
  const ui = new Ui(about, {
    seats: () => step.table.seats,
    cues: () => step.view.cues,
    play: () => {},
    foresee: async () => null,
    refresh,
  });
  ui.view = { ...step.view, legal: [] };
  return { board, ui };
}
