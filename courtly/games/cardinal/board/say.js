/** The texts of the game: what to do now, the seats, and the state in sentences. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderCardinal, renderCloister } from "./chart.js";
import { describeTarget } from "./note.js";
import { Position, sum } from "./position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** Whether the seats show the points of a scoring now. A preference of the reader, not part of the position. */
let showsEstimate = true;

/** @param {View} view @param {BoardContext} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  if (p.phase === "placing")
    return ui.t(ui.legalMoves("done").length ? "cardinal-prompt-second-or-done" : "cardinal-prompt-second", {
      country_name: p.countryName(p.countryNames[p.state.country]),
    });
  if (p.phase === "refilling") return ui.t("cardinal-prompt-refill", { n: p.state.to_draw });
  if (!p.selected.length) return ui.t("cardinal-prompt-choose");
  return ui.t(
    p.placements("cloister").length + p.placements("cardinal").length
      ? "cardinal-prompt-place"
      : "cardinal-prompt-other",
    { discard: p.discardMove ? 1 : 0 },
  );
}

/** Render the tag of the start player. @param {View} view @param {number} n @param {BoardContext} ui */
export const marks = (view, n, ui) =>
  view.state.start === n && !view.over
    ? html`<span class="cardinal-start" title=${ui.t("cardinal-start")}><span
        aria-hidden="true">${ui.t("cardinal-start-short")}</span>${hideVisually(ui.t("cardinal-start"))}</span>`
    : nothing;

/**
 * Render the three numbers of the original table: points, remaining cloisters and cardinals.
 * @param {View} view @param {number} n @param {BoardContext} ui
 */
export function seat(view, n, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  const number = (/** @type {string} */ id, /** @type {unknown} */ icon, /** @type {number} */ value) =>
    html`<span class="number" title=${ui.t(id, { n: value })}>${icon}<b aria-hidden="true">${value}</b>${hideVisually(
      ui.t(id, { n: value }),
    )}</span>`;
  return html`<span class="cardinal-seat">${
    p.over
      ? nothing
      : html`<span class="number score-now"
          data-key="points-${n}">${ui.t("cardinal-points", { n: state.score[n] })}</span>`
  }
    ${number("cardinal-cloisters-left", renderCloister(n), state.cloisters_left[n])}${number(
      "cardinal-cardinals-left",
      renderCardinal(n),
      state.cardinals_left[n],
    )}
    ${
      p.openHand(n).length
        ? html`<span class="held-open">${p
            .openHand(n)
            .map(
              (type) =>
                html`<span class="pip hue-${p.types.indexOf(type)}" title=${p.typeName(type)}>${hideVisually(
                  p.typeName(type),
                )}</span>`,
            )}</span>`
        : nothing
    }${
      p.over
        ? nothing
        : html`<button class="estimate" aria-pressed=${showsEstimate} title=${ui.t("cardinal-estimate-help")}
                @click=${() => {
                  showsEstimate = !showsEstimate;
                  ui.setLocal({});
                }}>
          ${
            showsEstimate
              ? ui.t("cardinal-estimate.short", { n: p.pointsIfScoredNow(n) })
              : ui.t("cardinal-estimate-off")
          }</button>`
    }</span>`;
}

// --- plain rendering -------------------------------------------------------------------------------------------------

/** @param {View} view @param {BoardContext} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  return [
    { heading: ui.t("cardinal-cards"), lines: describeCards(p) },
    { heading: ui.t("cardinal-players"), lines: p.seats.map((seat) => describeSeat(p, seat)) },
    ...p.countryNames.map((id) => ({
      heading: p.countryName(id),
      lines: [
        ...describeTarget(p, `seal-${id}`).slice(1),
        ...p.sites
          .filter(({ country }) => country === id)
          .map((one) => ui.joinSentences(describeTarget(p, `site-${one.id}`))),
      ],
    })),
    {
      heading: ui.t("cardinal-alliances"),
      lines: p.allianceNames.map((number) => ui.joinSentences(describeTarget(p, `pact-${number}`))),
    },
  ];
}

/** @param {Position} p */
function describeCards(p) {
  const { ui, state } = p;
  const list = (/** @type {string[]} */ cards) =>
    ui.formatList(cards.filter(Boolean).map((type) => p.typeName(type))) || ui.t("cardinal-no-card");
  const lines = [];
  if (p.dueScoring) lines.push(ui.t(`cardinal-due-${p.dueScoring}`, { name: ui.playerName(state.start) }));
  if (ui.me !== null) lines.push(ui.formatLabelled(ui.t("cardinal-hand"), list(p.hand)));
  for (const seat of p.seats)
    if (p.openHand(seat).length) lines.push(ui.formatLabelled(ui.playerName(seat), list(p.openHand(seat))));
  lines.push(
    ui.formatLabelled(ui.t("cardinal-open"), list(p.openCards)),
    ui.formatLabelled(ui.t("cardinal-deck"), state.deck_left),
  );
  lines.push(
    ui.formatLabelled(
      ui.t("cardinal-discards"),
      ui.formatList(
        p.types
          .filter((_, i) => state.discards[i])
          .map((type) => `${p.typeName(type)} ${state.discards[p.types.indexOf(type)]}`),
      ) || ui.t("cardinal-no-card"),
    ),
  );
  return lines;
}

/** @param {Position} p @param {number} seat */
function describeSeat(p, seat) {
  const { ui, state } = p;
  const parts = [
    ui.t("cardinal-points", { n: state.score[seat] }),
    ui.t("cardinal-cloisters-left", { n: state.cloisters_left[seat] }),
    ui.t("cardinal-cardinals-left", { n: state.cardinals_left[seat] }),
  ];
  if (state.start === seat) parts.push(ui.t("cardinal-start"));
  if (!p.over) parts.push(ui.t("cardinal-estimate", { n: p.pointsIfScoredNow(seat) }));
  parts.push(
    ui.t("cardinal-made-of", {
      countries: p.countryPoints(seat),
      alliances: p.alliancePoints(seat),
      chains: state.chain_points[seat],
      interim: sum(state.interim_points[seat]),
    }),
  );
  return ui.formatLabelled(ui.playerName(seat), ui.formatList(parts));
}
