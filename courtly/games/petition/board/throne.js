/** The throne once the King is taken: the group to beat, what it takes, and who is still to roll. */
import { html, nothing } from "lit";
import { picture } from "../../../web/board-sdk/die.js";
import { showing } from "../../../web/board-sdk/tooltips.js";
import { crest, detail } from "./character.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function throne(p) {
  const { ui, s } = p;
  const [count, face] = s.mark;
  return html`<div class="last" data-key="throne">
    <div class="couple">${["king", "queen"].map((card) => holder(p, card))}</div>
    <p class="mark-to-beat">${p.over ? nothing : html`<b>${ui.t("petition-mark")}</b>`}
      <span class="dice" aria-hidden="true">${Array.from({ length: count }, () => picture(face, "small"))}</span>
      <span>${ui.t("petition-group", { count, face })}</span></p>
    ${p.over ? nothing : html`<p class="how">${how(p)}</p>`}
    <ol class="order">${p.lastOrder.map(
      (seat) => html`<li class=${seat === p.seat && p.final ? "current" : ""}>
      ${ui.shield(seat, "tiny")}<span class="name">${ui.name(seat)}</span><span>${standing(p, seat)}</span></li>`,
    )}</ol>
  </div>`;
}

/** @param {Position} p @param {string} card */
function holder(p, card) {
  const { ui } = p;
  const seat = p.s[card];
  const on = showing(ui, card);
  return html`<div class="cell at-${card}" @pointerenter=${on.enter} @pointerleave=${on.leave}>
    <button class="card royal small" data-key="card-${card}" tabindex="-1" aria-disabled="true"
        aria-describedby="detail-${card}"
      @focus=${on.focus} @blur=${on.blur} @click=${on.tap}>
      ${crest(p, card)}<span class="name">${p.called(card)}</span>
      <span class="owner" data-key="own-${card}-${seat}">${ui.shield(seat, "tiny")} ${ui.name(seat)}</span></button>
    ${ui.local.detail === card ? detail(p, card, null) : nothing}</div>`;
}

/** What it takes to win, for the reader. @param {Position} p */
export function how(p) {
  const { ui, s } = p;
  const [count, face] = s.mark;
  if (!p.final) return ui.t("petition-banner-king", { name: ui.name(s.queen), count, face });
  return ui.t(`petition-banner-${p.facts.goal ?? "last"}`, { count, face });
}

/** How a seat stands in the last round. @param {Position} p @param {number} seat */
export function standing(p, seat) {
  const { ui, s } = p;
  const result = p.result(seat);
  if (p.final && seat === p.seat) return ui.t("petition-rolling-now");
  if (result) return ui.t("petition-outcome-result", result);
  return ui.t(s.conceded[seat] ? "petition-outcome-conceded" : "petition-seat-to-roll");
}
