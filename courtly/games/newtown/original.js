/** The original rules: the pool of dice, walking, buying, splitting and joining. */
import { html, nothing } from "lit";
import { die } from "../../web/dice.js";
import { action } from "./dice.js";
import { block } from "./pictures.js";
import { KING, WHITE } from "./position.js";

/** @typedef {import("./position.js").Position} Position */

const COLOURS = ["white", "green", "red", "black"];

/** The dice still to be drafted, and what everybody has taken. @param {Position} p */
export function pool(p) {
  const { ui, s } = p;
  if (!s.ruleset || !s.pool.some((/** @type {number[]} */ row) => row.some(Boolean))) return nothing;
  return html`<div class="pool"><h3>${ui.t("newtown-pool-title")}</h3><ul>${COLOURS.map((colour, c) => html`<li>${s.pool[c].flatMap((/** @type {number} */ n, /** @type {number} */ face) => Array.from({ length: n }, (_, i) => {
    const [draft] = ui.can("draft", { colour, face: face + 1 }), drawn = html`<span data-key="pool-${c}-${face}-${i}">${die(face + 1, colour)}</span>`;
    return draft ? html`<button class="slot open" title=${ui.order(draft)} @click=${() => ui.play(draft)}>${drawn}<span class="unseen">${ui.order(draft)}</span></button>`
      : html`<span class="slot">${drawn}<span class="unseen">${ui.t(`newtown-colour-${colour}`)} ${face + 1}</span></span>`;
  }))}</li>`)}</ul>
    <p>${ui.t("newtown-help-drafting")}</p>
    <ul class="drafted">${p.order.map((seat) => html`<li class=${seat === p.seat ? "acting" : ""}>${ui.shield(seat, "tiny")}<span>${ui.name(seat)}</span>
      ${drafted(p, seat).map(([colour, face], i) => html`<span data-key="drafted-${seat}-${i}">${die(face, `small ${colour} ${face ? "" : "missing"}`)}</span>`)}
      <span class="unseen">${draftedWords(p, seat)}</span></li>`)}</ul></div>`;
}

/** A seat's six dice, by colour; face 0: still to be taken. @param {Position} p @param {number} seat @returns {[string, number][]} */
const drafted = ({ s }, seat) => [...s.white[seat].map((/** @type {number} */ face) => ["white", face]), ...s.coloured[seat].map((/** @type {number} */ face, /** @type {number} */ i) => [COLOURS[i + 1], face])];

/** @param {Position} p @param {number} seat */
export const draftedWords = (p, seat) =>
  drafted(p, seat).filter(([, face]) => face).map(([colour, face]) => `${p.ui.t(`newtown-colour-${colour}`)} ${face}`).join(p.ui.t("list-comma")) || p.ui.t("newtown-none");

/** Buttons for the decisions that only these rules have. @param {Position} p */
export function originally(p) {
  const { ui, s } = p, [green, red] = s.pips;
  switch (p.phase) {
    case "planting": return html`<p>${ui.t("newtown-help-planting")}</p>${buttons(p, ["plant"])}`;
    case "drafting": return nothing;
    case "walking": return html`<p>${ui.t("newtown-help-walking", { pips: green, round: s.round })}</p>${ways(p)}${buttons(p, ["stay"])}`;
    case "managing": return html`<p>${ui.t("newtown-help-managing", { pips: red })}</p>
      <div class="acts">${ui.can("buy").map((move) => action(p, move, html`${block(p, move.args.size, "tiny")} ${ui.t("newtown-block", { n: move.args.size })}`, "quiet small"))}</div>
      <div class="acts">${ui.can("again").map((move) => action(p, move, html`${die(s.white[p.seat][WHITE.indexOf(move.args.die)], "small")} ↻<span class="unseen">${ui.order(move)}</span>`, "quiet small"))}</div>${buttons(p, ["finish"])}`;
    default: return html`<p>${ui.t("newtown-help-voting")}</p>${buttons(p, ["vote"])}`;
  }
}

/** The lands within reach and the steps to each; that of the white dice first in the eye. @param {Position} p */
function ways(p) {
  const { ui, s } = p, steps = p.steps(p.seat), goal = p.opened(p.seat);
  return html`<ul class="ways">${ui.can("walk").map((move) => {
    const land = p.lands.indexOf(move.args.land), n = steps.get(land);
    return html`<li><button class="way ground-${p.ground(land)} ${goal.includes(land) ? "goal" : ""}" @click=${() => ui.play(move)} @mouseenter=${() => ui.set({ land })}>
      <b aria-hidden="true">${land === KING ? "♔" : land + 3}</b>${s.tree[land] ? html`<i aria-hidden="true">♣</i>` : nothing}<small aria-hidden="true">${n}</small><span class="unseen">${ui.order(move)}${ui.t("newtown-sep")}${ui.t("newtown-steps", { n })}</span></button></li>`;
  })}</ul>`;
}

/** @param {Position} p @param {string[]} verbs */
const buttons = (p, verbs) => html`<div class="acts">${verbs.flatMap((verb) => p.ui.can(verb)).map((move) => action(p, move, p.ui.order(move), "quiet"))}</div>`;

/** While building: what the black pips are for, and carving blocks. @param {Position} p */
export function carving(p) {
  const { ui, s } = p, moves = [...ui.can("split"), ...ui.can("join")];
  if (!s.ruleset) return nothing;
  return html`<p>${ui.t("newtown-help-black", { pips: s.pips[2] })}</p>${moves.length ? html`<details class="card-use"><summary>${ui.t("newtown-carve")}</summary><div class="acts">${moves.map((move) => {
    const { size, part } = move.args, whole = block(p, size, "tiny"), parts = html`${block(p, part, "tiny")} ${block(p, size - part, "tiny")}`;
    return action(p, move, html`${move.verb === "split" ? html`${whole} → ${parts}` : html`${parts} → ${whole}`}<span class="unseen">${ui.order(move)}</span>`, "quiet small");
  })}</div></details>` : nothing}`;
}

/** In sentences: the pool and what has been drafted, pips, the land of the white dice, steps, the house being laid. @param {Position} p @returns {string[]} */
export function originalLines(p) {
  const { ui, s } = p, names = (/** @type {number[]} */ lands) => lands.map((land) => p.landName(land)).join(ui.t("list-comma"));
  if (p.phase === "drafting") {
    return [...COLOURS.map((colour, c) => p.line(`${ui.t("newtown-pool-title")}${ui.t("newtown-sep")}${ui.t(`newtown-colour-${colour}`)}`,
      s.pool[c].flatMap((/** @type {number} */ n, /** @type {number} */ face) => Array(n).fill(face + 1)).join(" ") || ui.t("newtown-none"))),
      ui.t("newtown-help-drafting"), ...p.order.map((seat) => p.line(ui.name(seat), draftedWords(p, seat)))];
  }
  return [...(p.phase === "planting" ? [ui.t("newtown-help-planting")] : p.phase === "voting" ? [ui.t("newtown-help-voting")] : []),
    ...(p.pips ? [ui.t("newtown-goals", { lands: names(p.opened(p.seat)) }), ui.t("newtown-pips", { green: s.pips[0], red: s.pips[1], black: s.pips[2] })] : []),
    ...(p.phase === "walking" ? [ui.t("newtown-help-walking", { pips: s.pips[0], round: s.round }), ...[...p.steps(p.seat)].filter(([, n]) => n && n <= s.pips[0]).map(([land, n]) => p.line(p.landName(land), ui.t("newtown-steps", { n })))] : []),
    ...(p.phase === "managing" ? [ui.t("newtown-help-managing", { pips: s.pips[1] })] : []), ...(p.phase === "building" ? [ui.t("newtown-help-black", { pips: s.pips[2] })] : [])];
}
