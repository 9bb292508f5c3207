/** The original rules: the pool of dice, walking, buying, splitting and joining. */
import { html, nothing } from "lit";
import { die } from "../../web/dice.js";
import { action, block } from "./dice.js";

/** @typedef {import("./position.js").Position} Position */

const COLOURS = ["white", "green", "red", "black"];

/** The dice still to be drafted. @param {Position} p */
export function pool(p) {
  const { ui, s } = p;
  if (!s.ruleset || !s.pool.some((/** @type {number[]} */ row) => row.some(Boolean))) return nothing;
  return html`<div class="pool"><h3>${ui.t("newtown-pool-title")}</h3><ul>${COLOURS.map((colour, c) => html`<li>${s.pool[c].flatMap((/** @type {number} */ n, /** @type {number} */ face) => Array.from({ length: n }, (_, i) => {
    const [draft] = ui.can("draft", { colour, face: face + 1 });
    return draft ? html`<button class="slot open" title=${ui.order(draft)} @click=${() => ui.play(draft)}>${die(face + 1, colour)}<span class="unseen">${ui.order(draft)}</span></button>`
      : html`<span class="slot" data-key="pool-${c}-${face}-${i}">${die(face + 1, colour)}<span class="unseen">${ui.t(`newtown-colour-${colour}`)} ${face + 1}</span></span>`;
  }))}</li>`)}</ul>
    <ul class="drafted">${p.seats.map((seat) => html`<li>${ui.shield(seat, "tiny")}<span class="unseen">${ui.name(seat)}</span>
      ${s.white[seat].map((/** @type {number} */ face) => die(face, "small"))}${s.coloured[seat].map((/** @type {number} */ face, /** @type {number} */ i) => (face ? die(face, `small ${COLOURS[i + 1]}`) : die(0, "small")))}
      <span class="unseen">${[...s.white[seat], ...s.coloured[seat]].filter(Boolean).join(" ")}</span></li>`)}</ul></div>`;
}

/** Buttons for the decisions that only these rules have. @param {Position} p */
export function originally(p) {
  const { ui, s } = p, [green, red] = s.pips;
  switch (p.phase) {
    case "planting": return html`<p>${ui.t("newtown-help-planting")}</p>${buttons(p, ["plant"])}`;
    case "drafting": return nothing;
    case "walking": return html`<p>${ui.t("newtown-help-walking", { pips: green, round: s.round })}</p>${buttons(p, ["stay", "walk"])}`;
    case "managing": return html`<p>${ui.t("newtown-help-managing", { pips: red })}</p>
      <div class="acts">${ui.can("buy").map((move) => action(p, move, html`${block(p, move.args.size, "tiny")} ${ui.t("newtown-block", { n: move.args.size })}`, "quiet small"))}</div>${buttons(p, ["again"], "small")}${buttons(p, ["finish"])}`;
    default: return html`<p>${ui.t("newtown-help-voting")}</p>${buttons(p, ["vote"])}`;
  }
}

/** @param {Position} p @param {string[]} verbs @param {string} [size] */
const buttons = (p, verbs, size = "") => html`<div class="acts">${verbs.flatMap((verb) => p.ui.can(verb)).map((move) => action(p, move, p.ui.order(move), `quiet ${size}`))}</div>`;

/** While building: what the black pips are for, and carving blocks. @param {Position} p */
export function carving(p) {
  const { ui, s } = p, moves = [...ui.can("split"), ...ui.can("join")];
  if (!s.ruleset) return nothing;
  return html`<p>${ui.t("newtown-help-black", { pips: s.pips[2] })}</p>${moves.length ? html`<details class="card-use"><summary>${ui.t("newtown-carve")}</summary><div class="acts">${moves.map((move) => {
    const { size, part } = move.args, whole = block(p, size, "tiny"), parts = html`${block(p, part, "tiny")} ${block(p, size - part, "tiny")}`;
    return action(p, move, html`${move.verb === "split" ? html`${whole} → ${parts}` : html`${parts} → ${whole}`}<span class="unseen">${ui.order(move)}</span>`, "quiet small");
  })}</div></details>` : nothing}`;
}
