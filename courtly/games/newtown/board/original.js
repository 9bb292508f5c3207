/** The original rules: the pool of dice, walking, buying, splitting and joining. */
import { html, nothing } from "lit";
import { showing } from "../../../web/board-sdk/tooltips.js";
import { die } from "../../../web/board-sdk/die.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { action, fold } from "./dice.js";
import { block } from "./pictures.js";

/** @typedef {import("./position.js").Position} Position */

/** The dice still to be drafted, and what everybody has taken. @param {Position} p */
export function pool(p) {
  const { ui, s } = p;
  if (!p.original || !s.pool.some((/** @type {number[]} */ row) => row.some(Boolean))) return nothing;
  return html`<div class="pool"><h3>${ui.t("newtown-pool-title")}</h3>
    <ul>${p.poolColours.map(
      (colour, c) =>
        html`<li>${facesOf(s.pool[c]).map((face, i, all) => poolDie(p, colour, face, i - all.indexOf(face)))}</li>`,
    )}</ul>
    <p>${ui.t("newtown-help-drafting")}</p>
    <ul class="drafted">${p.order.map(
      (seat) => html`<li class=${seat === p.seat ? "acting" : ""}>
      ${ui.shield(seat, "tiny")}<span>${ui.name(seat)}</span>
      ${drafted(p, seat).map(
        ([colour, face, nth]) => html`
        <span data-key="drafted-${seat}-${colour}-${nth}">${die(
          face,
          `small ${colour} ${face ? "" : "missing"}`,
        )}</span>`,
      )}
      ${unseen(draftedWords(p, seat))}</li>`,
    )}</ul></div>`;
}

/** Counts by face as faces. @param {number[]} counts @returns {number[]} */
const facesOf = (counts) => counts.flatMap((n, face) => Array(n).fill(face + 1));

/** @param {Position} p @param {string} colour @param {number} face @param {number} nth of those alike */
function poolDie(p, colour, face, nth) {
  const { ui } = p;
  const [draft] = ui.can("draft", { colour, face });
  const c = p.poolColours.indexOf(colour);
  const drawn = html`<span data-key="pool-${c}-${face - 1}-${nth}">${die(face, colour)}</span>`;
  return draft
    ? html`<button class="slot open" title=${ui.order(draft)} @click=${() => ui.play(draft)}>${drawn}
      ${unseen(ui.order(draft))}</button>`
    : html`<span class="slot">${drawn}${unseen(`${ui.t(`newtown-colour-${colour}`)} ${face}`)}</span>`;
}

/**
 * A seat's six dice: colour, face (0: still to be taken), and which of that colour.
 * @param {Position} p @param {number} seat @returns {[string, number, number][]}
 */
const drafted = ({ s, colours }, seat) => [
  ...s.white[seat].map((/** @type {number} */ face, /** @type {number} */ i) => ["white", face, i]),
  ...s.coloured[seat].map((/** @type {number} */ face, /** @type {number} */ i) => [colours[i], face, 0]),
];

/** @param {Position} p @param {number} seat */
export const draftedWords = (p, seat) =>
  p.ui.list(
    drafted(p, seat)
      .filter(([, face]) => face)
      .map(([colour, face]) => `${p.ui.t(`newtown-colour-${colour}`)} ${face}`),
  ) || p.ui.t("newtown-none");

/** Buttons for the decisions that only these rules have. @param {Position} p */
export function originally(p) {
  const { ui, s } = p;
  const { green, red } = p.unspent;
  switch (p.phase) {
    case "planting":
      return html`<p>${ui.t("newtown-help-planting")}</p>${buttons(p, ["plant"])}`;
    case "drafting":
      return nothing;
    case "walking":
      return html`<p>${ui.t("newtown-help-walking", {
        pips: green,
        round: s.round,
      })}</p>${ways(p)}${buttons(p, ["stay"])}`;
    case "managing":
      return html`<p>${ui.t("newtown-help-managing", { pips: red })}</p>
      <div class="acts">${ui
        .can("buy")
        .map((move) =>
          action(
            p,
            move,
            html`${block(p, move.args.size, "tiny")} ${ui.t("newtown-block", { n: move.args.size })}`,
            "quiet small",
          ),
        )}</div>
      <div class="acts">${ui
        .can("again")
        .map((move) =>
          action(
            p,
            move,
            html`${die(s.white[p.seat][p.whites.indexOf(move.args.die)], "small")} ↻${unseen(ui.order(move))}`,
            "quiet small",
          ),
        )}</div>${buttons(p, ["finish"])}`;
    default:
      return html`<p>${ui.t("newtown-help-voting")}</p>${buttons(p, ["vote"])}`;
  }
}

/** The lands within reach and the steps to each; that of the white dice first in the eye. @param {Position} p */
function ways(p) {
  const { ui, s } = p;
  const steps = new Map(p.facts.steps);
  const goal = p.facts.goals;
  return html`<ul class="ways">${ui.can("walk").map((move) => {
    const land = p.lands.indexOf(move.args.land);
    const n = steps.get(land);
    const on = showing(ui, `land-${land}`);
    return html`<li><button class="way ground-${p.ground(land)} ${goal.includes(land) ? "goal" : ""}"
        @click=${() => ui.play(move)}
      @pointerenter=${on.enter} @pointerleave=${on.leave} @focus=${on.focus} @blur=${on.blur}>
      <b aria-hidden="true">${p.mark(land)}</b>${s.tree[land] ? html`<i aria-hidden="true">♣</i>` : nothing}
        <small aria-hidden="true">${n}</small>
        ${unseen(ui.parts([ui.order(move), ui.t("newtown-steps", { n })]))}</button></li>`;
  })}</ul>`;
}

/** @param {Position} p @param {string[]} verbs */
const buttons = (p, verbs) =>
  html`<div class="acts">${verbs
    .flatMap((verb) => p.ui.can(verb))
    .map((move) => action(p, move, p.ui.order(move), "quiet"))}</div>`;

/** While building: what the black pips are for, and carving blocks. @param {Position} p */
export function carving(p) {
  const { ui } = p;
  const moves = [...ui.can("split"), ...ui.can("join")];
  if (!p.original) return nothing;
  return html`<p>${ui.t("newtown-help-black", { pips: p.unspent.black })}</p>${
    moves.length
      ? fold(
          p,
          "carve",
          ui.t("newtown-carve"),
          () =>
            html`<div class="acts">${moves.map((move) => {
              const { size, part } = move.args;
              const whole = block(p, size, "tiny");
              const parts = html`${block(p, part, "tiny")} ${block(p, size - part, "tiny")}`;
              return action(
                p,
                move,
                html`${move.verb === "split" ? html`${whole} → ${parts}` : html`${parts} → ${whole}`}
                  ${unseen(ui.order(move))}`,
                "quiet small",
              );
            })}</div>`,
        )
      : nothing
  }`;
}

/**
 * In sentences: the pool and what has been drafted; or the land to build on, pips, and what they are for.
 * @param {Position} p @returns {string[]}
 */
export function originalLines(p) {
  const { ui, s, phase } = p;
  const { green, red, black } = p.unspent;
  if (phase === "drafting") {
    const left = p.poolColours.map((colour, c) =>
      ui.labelled(
        ui.parts([ui.t("newtown-pool-title"), ui.t(`newtown-colour-${colour}`)]),
        facesOf(s.pool[c]).join(" ") || ui.t("newtown-none"),
      ),
    );
    return [
      ...left,
      ui.t("newtown-help-drafting"),
      ...p.order.map((seat) => ui.labelled(ui.name(seat), draftedWords(p, seat))),
    ];
  }
  if (!p.pips) return ["planting", "voting"].includes(phase) ? [ui.t(`newtown-help-${phase}`)] : [];
  const lands = ui.list(p.facts.goals.map((/** @type {number} */ land) => p.landName(land)));
  const lines = [ui.t("newtown-goals", { lands }), ui.t("newtown-pips", { green, red, black })];
  if (phase === "managing") lines.push(ui.t("newtown-help-managing", { pips: red }));
  if (phase === "building") lines.push(ui.t("newtown-help-black", { pips: black }));
  if (phase !== "walking") return lines;
  return [
    ...lines,
    ui.t("newtown-help-walking", { pips: green, round: s.round }),
    ...p.facts.steps.map((/** @type {[number, number]} */ [land, n]) =>
      ui.labelled(p.landName(land), ui.t("newtown-steps", { n })),
    ),
  ];
}
