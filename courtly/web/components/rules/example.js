/** A live example in the rules: a step of the game's lesson, drawn by the game's board, with a link to the lesson. */
import { html, nothing } from "lit";
import { fetchOnce } from "../../core/lazy-resource.js";
import { request } from "../../core/http-client.js";
import { loadBoard } from "../../board-sdk/load-board.js";
import { isSmallScreen } from "../../core/user-settings.js";
import { t } from "../../core/i18n.js";
import { lessonUrl } from "../../core/page-address.js";
import { BoardContext } from "../../board-sdk/board-context.js";

/**
 * @typedef {import("../../core/api-types.js").GameInfo} About
 * @typedef {import("../../core/api-types.js").LessonStep} LessonStep
 */
/** @typedef {{board: import("../../board-sdk/board-types.js").Board, ui: BoardContext}} ExampleBoard */

/**
 * Render a step of the lesson. On a phone, where a board would be too small, render only the link to the lesson.
 * @param {About} about @param {string} stepId @param {string} caption @param {() => void} refresh
 */
export function renderExample(about, stepId, caption, refresh) {
  const captionText = html`<figcaption>${caption}
    <a href=${lessonUrl(about.id, stepId)}>${t("lesson-try")}</a></figcaption>`;
  if (isSmallScreen()) return html`<figure class="example">${captionText}</figure>`;
  const cached = fetchOnce(`example ${about.id} ${stepId}`, () => fetchExample(about, stepId, refresh), refresh);
  const loaded = /** @type {ExampleBoard | null | undefined} */ (cached);
  if (loaded === null) return nothing;
  return html`<figure class="example"><div class="frame" inert><div class="board of-game">${
    loaded?.ui.view ? loaded.board.board?.(loaded.ui.view, loaded.ui) : nothing
  }</div></div>
    ${captionText}</figure>`;
}

/** @param {About} about @param {string} stepId @param {() => void} refresh @returns {Promise<ExampleBoard>} */
async function fetchExample(about, stepId, refresh) {
  /** @type {[LessonStep, Awaited<ReturnType<typeof loadBoard>>]} */
  const [step, { board }] = await Promise.all([
    request("POST", `/api/games/${about.id}/lesson`, { at: stepId }),
    loadBoard(about.id, Promise.resolve(about)),
  ]);
  const ui = new BoardContext(about, {
    seats: () => step.table.seats,
    cues: () => step.view.cues,
    play: () => {},
    preview: async () => null,
    refresh,
  });
  ui.view = { ...step.view, legal: [] };
  return { board, ui };
}
