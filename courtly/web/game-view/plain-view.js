/** The plain rendering: the same table in headings, sentences and buttons. */
import { html, nothing, repeat } from "lit";
import { news } from "./log.js";
import { now } from "./table-page.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").Table} Table @typedef {import("../core/api-types.js").Move} Move */

const MANY = 12; // more moves than this and a field appears that narrows them down

/** @param {Table} table */
export function plain(table) {
  const { ui, board, about } = table;
  const view = /** @type {import("../core/api-types.js").View} */ (ui.view);
  const sections = board.plain?.(view, ui) ?? fields(table);
  return html`
    <section class="moves" aria-labelledby="moves-heading">
      <h2 id="moves-heading" tabindex="-1">${now(table).text}</h2>
      ${view.legal.length ? moves(table, view.legal) : nothing}
      ${
        view.undo
          ? html`<button class="button quiet" aria-disabled=${!ui.free}
            @click=${() => table.undo()}>${t("undo")}</button>`
          : nothing
      }
    </section>
    <section aria-labelledby="news-heading"><h2 id="news-heading">${t("news")}</h2>
      ${news(table)}</section>
    ${sections.map(
      ({ heading, lines }) =>
        html`<section><h2>${heading}</h2><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`,
    )}
    ${
      about.players.length && !board.plain && !table.fault ? html`<p class="quiet">${t("plain-fallback")}</p>` : nothing
    }`;
}

/** @param {Table} table @param {Move[]} legal */
function moves(table, legal) {
  const { ui } = table;
  const only = /** @type {string} */ (ui.local.only ?? "").toLocaleLowerCase();
  const offered = legal
    .map((move) => ({ move, text: ui.order(move) }))
    .filter(({ text }) => text.toLocaleLowerCase().includes(only));
  return html`
    ${
      legal.length > MANY
        ? html`<label class="field">${t("narrow", { count: legal.length })}
          <input type="search" autocomplete="off" .value=${ui.local.only ?? ""}
            @input=${(/** @type {any} */ event) => ui.set({ only: event.target.value })}></label>`
        : nothing
    }
    <ul class="move-list">${repeat(
      offered,
      ({ move }) => move.id,
      ({ move, text }) => html`<li>
      <button class="button move" data-move=${move.id} aria-disabled=${!ui.free}
          @click=${() => ui.play(move)}>${text}</button></li>`,
    )}</ul>`;
}

/** For a game that has not said its state in sentences: every field and its value. @param {Table} table */
function fields({ ui, about }) {
  const state = ui.view?.state ?? {};
  const lines = Object.keys(about.fields)
    .filter((name) => name in state)
    .map((name) => ui.labelled(name, JSON.stringify(state[name])));
  return [{ heading: t("position"), lines }];
}
