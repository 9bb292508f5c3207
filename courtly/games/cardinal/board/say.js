/** What is said of the table: what to do now, the seats, and the state in sentences. */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { cardinal, cloister } from "./chart.js";
import { words } from "./note.js";
import { Position, sum } from "./position.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

/** Whether the seats show what a scoring would bring now: a matter of taste, not of the position. */
let estimating = true;

/** @param {View} view @param {Ui} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  if (p.phase === "placing")
    return ui.t(ui.can("done").length ? "cardinal-prompt-second-or-done" : "cardinal-prompt-second", {
      country_name: p.countryName(p.countryNames[p.s.country]),
    });
  if (p.phase === "refilling") return ui.t("cardinal-prompt-refill", { n: p.s.to_draw });
  if (!p.picked.length) return ui.t("cardinal-prompt-choose");
  return ui.t(
    p.placements("cloister").length + p.placements("cardinal").length
      ? "cardinal-prompt-place"
      : "cardinal-prompt-other",
    { discard: p.discarding ? 1 : 0 },
  );
}

/**
 * As at the old table: S before the name of the start player, * at that of the player to move.
 * @param {View} view @param {number} n @param {Ui} ui
 */
export function marks(view, n, ui) {
  const sign = (/** @type {string} */ what, /** @type {string} */ letter) =>
    html`<span class="cardinal-mark ${what}" title=${ui.t(`cardinal-${what}`)}><span
      aria-hidden="true">${letter}</span>${unseen(ui.t(`cardinal-${what}`))}</span>`;
  return html`<span class="cardinal-marks">${view.state.start === n ? sign("start", "S") : nothing}${
    view.pending.includes(n) ? sign("turn", "*") : nothing
  }</span>`;
}

/**
 * The three numbers of the old table: points, cloisters and cardinals left.
 * @param {View} view @param {number} n @param {Ui} ui
 */
export function seat(view, n, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  const number = (/** @type {string} */ id, /** @type {unknown} */ icon, /** @type {number} */ value) =>
    html`<span class="number" title=${ui.t(id, { n: value })}>${icon}<b aria-hidden="true">${value}</b>${unseen(
      ui.t(id, { n: value }),
    )}</span>`;
  return html`<span class="cardinal-seat">${
    p.over
      ? nothing
      : html`<span class="number score-now"
          data-key="points-${n}">${ui.t("cardinal-points", { n: s.score[n] })}</span>`
  }
    ${number("cardinal-cloisters-left", cloister(n), s.cloisters_left[n])}${number(
      "cardinal-cardinals-left",
      cardinal(n),
      s.cardinals_left[n],
    )}
    ${
      p.held(n).length
        ? html`<span class="held-open">${p
            .held(n)
            .map(
              (type) =>
                html`<span class="pip hue-${p.types.indexOf(type)}" title=${p.typeName(type)}>${unseen(
                  p.typeName(type),
                )}</span>`,
            )}</span>`
        : nothing
    }${
      p.over
        ? nothing
        : html`<button class="estimate" aria-pressed=${estimating} title=${ui.t("cardinal-estimate-help")}
                @click=${() => {
                  estimating = !estimating;
                  ui.set({});
                }}>
          ${
            estimating ? ui.t("cardinal-estimate.short", { n: p.ifScoredNow(n) }) : ui.t("cardinal-estimate-off")
          }</button>`
    }</span>`;
}

// --- in sentences ----------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  return [
    { heading: ui.t("cardinal-cards"), lines: cardLines(p) },
    { heading: ui.t("cardinal-players"), lines: p.seats.map((seat) => seatLine(p, seat)) },
    ...p.countryNames.map((id) => ({
      heading: p.countryName(id),
      lines: [
        ...words(p, `seal-${id}`).slice(1),
        ...p.sites.filter(({ country }) => country === id).map((one) => ui.sentences(words(p, `site-${one.id}`))),
      ],
    })),
    {
      heading: ui.t("cardinal-alliances"),
      lines: p.allianceNames.map((number) => ui.sentences(words(p, `pact-${number}`))),
    },
  ];
}

/** @param {Position} p */
function cardLines(p) {
  const { ui, s } = p;
  const list = (/** @type {string[]} */ cards) =>
    ui.list(cards.filter(Boolean).map((type) => p.typeName(type))) || ui.t("cardinal-no-card");
  const lines = [];
  if (p.due) lines.push(ui.t(`cardinal-due-${p.due}`, { name: ui.name(s.start) }));
  if (ui.me !== null) lines.push(ui.labelled(ui.t("cardinal-hand"), list(p.hand)));
  for (const seat of p.seats) if (p.held(seat).length) lines.push(ui.labelled(ui.name(seat), list(p.held(seat))));
  lines.push(ui.labelled(ui.t("cardinal-open"), list(p.open)), ui.labelled(ui.t("cardinal-deck"), s.deck_left));
  lines.push(
    ui.labelled(
      ui.t("cardinal-discards"),
      ui.list(
        p.types
          .filter((_, i) => s.discards[i])
          .map((type) => `${p.typeName(type)} ${s.discards[p.types.indexOf(type)]}`),
      ) || ui.t("cardinal-no-card"),
    ),
  );
  return lines;
}

/** @param {Position} p @param {number} seat */
function seatLine(p, seat) {
  const { ui, s } = p;
  const parts = [
    ui.t("cardinal-points", { n: s.score[seat] }),
    ui.t("cardinal-cloisters-left", { n: s.cloisters_left[seat] }),
    ui.t("cardinal-cardinals-left", { n: s.cardinals_left[seat] }),
  ];
  if (s.start === seat) parts.push(ui.t("cardinal-start"));
  if (!p.over) parts.push(ui.t("cardinal-estimate", { n: p.ifScoredNow(seat) }));
  parts.push(
    ui.t("cardinal-made-of", {
      countries: p.countryPoints(seat),
      alliances: p.alliancePoints(seat),
      chains: s.chain_points[seat],
      interim: sum(s.interim_points[seat]),
    }),
  );
  return ui.labelled(ui.name(seat), ui.list(parts));
}
