/** The plain rendering: the table as headings, sentences and buttons. */
import { html, nothing, repeat } from "lit";
import { renderNews } from "./log.js";
import { describeStatus } from "./status-line.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").GameView} GameView @typedef {import("../core/api-types.js").Move} Move */

const FILTER_THRESHOLD = 12; // with more moves than this, show a filter field

/** @param {GameView} table */
export function renderPlainView(table) {
  const { ui, board, about } = table;
  const view = /** @type {import("../core/api-types.js").View} */ (ui.view);
  const sections = board.plain?.(view, ui) ?? listFields(table);
  return html`
    <section class="moves" aria-labelledby="moves-heading">
      <h2 id="moves-heading" tabindex="-1">${describeStatus(table).text}</h2>
      ${view.legal.length ? renderMoves(table, view.legal) : nothing}
      ${
        view.undo
          ? html`<button class="button quiet" aria-disabled=${!ui.canPlay}
            @click=${() => table.undo()}>${t("undo")}</button>`
          : nothing
      }
    </section>
    <section aria-labelledby="news-heading"><h2 id="news-heading">${t("news")}</h2>
      ${renderNews(table)}</section>
    ${sections.map(
      ({ heading, lines }) =>
        html`<section><h2>${heading}</h2><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`,
    )}
    ${
      about.players.length && !board.plain && !table.boardError
        ? html`<p class="quiet">${t("plain-fallback")}</p>`
        : nothing
    }`;
}

/** @param {GameView} table @param {Move[]} legal */
function renderMoves(table, legal) {
  const { ui } = table;
  const filterText = /** @type {string} */ (ui.local.only ?? "").toLocaleLowerCase();
  const matchingMoves = legal
    .map((move) => ({ move, text: ui.moveText(move) }))
    .filter(({ text }) => text.toLocaleLowerCase().includes(filterText));
  return html`
    ${
      legal.length > FILTER_THRESHOLD
        ? html`<label class="field">${t("narrow", { count: legal.length })}
          <input type="search" autocomplete="off" .value=${ui.local.only ?? ""}
            @input=${(/** @type {any} */ event) => ui.setLocal({ only: event.target.value })}></label>`
        : nothing
    }
    <ul class="move-list">${repeat(
      matchingMoves,
      ({ move }) => move.id,
      ({ move, text }) => html`<li>
      <button class="button move" data-move=${move.id} aria-disabled=${!ui.canPlay}
          @click=${() => ui.play(move)}>${text}</button></li>`,
    )}</ul>`;
}

/** List every field and its value, for a game without `plain`. @param {GameView} table */
function listFields({ ui, about }) {
  const state = ui.view?.state ?? {};
  const lines = Object.keys(about.fields)
    .filter((name) => name in state)
    .map((name) => ui.formatLabelled(name, JSON.stringify(state[name])));
  return [{ heading: t("position"), lines }];
}
