/** The original rules: the pool of dice, walking, buying, splitting and joining. */
import { html, nothing } from "lit";
import { tooltipHandlers } from "../../../web/board-sdk/tooltips.js";
import { renderDie } from "../../../web/board-sdk/die.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderMoveButton, renderFold } from "./dice.js";
import { renderBlock } from "./pictures.js";

/** @typedef {import("./position.js").Position} Position */

/** Render the dice in the pool and the dice each player has drafted. @param {Position} p */
export function renderPool(p) {
  const { ui, state } = p;
  if (!p.isOriginal || !state.pool.some((/** @type {number[]} */ row) => row.some(Boolean))) return nothing;
  return html`<div class="pool"><h3>${ui.t("newtown-pool-title")}</h3>
    <ul>${p.poolColours.map(
      (colour, c) =>
        html`<li>${expandFaces(state.pool[c]).map((face, i, all) =>
          renderPoolDie(p, colour, face, i - all.indexOf(face)),
        )}</li>`,
    )}</ul>
    <p>${ui.t("newtown-help-drafting")}</p>
    <ul class="drafted">${p.order.map(
      (seat) => html`<li class=${seat === p.seat ? "acting" : ""}>
      ${ui.renderShield(seat, "tiny")}<span>${ui.playerName(seat)}</span>
      ${listDrafted(p, seat).map(
        ([colour, face, nth]) => html`
        <span data-key="drafted-${seat}-${colour}-${nth}">${renderDie(
          face,
          `small ${colour} ${face ? "" : "missing"}`,
        )}</span>`,
      )}
      ${hideVisually(draftedText(p, seat))}</li>`,
    )}</ul></div>`;
}

/** Expand counts by face to a list of faces. @param {number[]} counts @returns {number[]} */
const expandFaces = (counts) => counts.flatMap((n, face) => Array(n).fill(face + 1));

/** @param {Position} p @param {string} colour @param {number} face @param {number} nth among equal dice */
function renderPoolDie(p, colour, face, nth) {
  const { ui } = p;
  const [draft] = ui.legalMoves("draft", { colour, face });
  const c = p.poolColours.indexOf(colour);
  const content = html`<span data-key="pool-${c}-${face - 1}-${nth}">${renderDie(face, colour)}</span>`;
  return draft
    ? html`<button class="slot open" title=${ui.moveText(draft)} @click=${() => ui.play(draft)}>${content}
      ${hideVisually(ui.moveText(draft))}</button>`
    : html`<span class="slot">${content}${hideVisually(`${ui.t(`newtown-colour-${colour}`)} ${face}`)}</span>`;
}

/**
 * Return a seat's six dice: colour, face (0: not drafted yet), and index within the colour.
 * @param {Position} p @param {number} seat @returns {[string, number, number][]}
 */
const listDrafted = ({ state, colours }, seat) => [
  ...state.white[seat].map((/** @type {number} */ face, /** @type {number} */ i) => ["white", face, i]),
  ...state.coloured[seat].map((/** @type {number} */ face, /** @type {number} */ i) => [colours[i], face, 0]),
];

/** @param {Position} p @param {number} seat */
export const draftedText = (p, seat) =>
  p.ui.formatList(
    listDrafted(p, seat)
      .filter(([, face]) => face)
      .map(([colour, face]) => `${p.ui.t(`newtown-colour-${colour}`)} ${face}`),
  ) || p.ui.t("newtown-none");

/** Render the buttons for decisions of the original rules only. @param {Position} p */
export function renderOriginalActions(p) {
  const { ui, state } = p;
  const { green, red } = p.unspent;
  switch (p.phase) {
    case "planting":
      return html`<p>${ui.t("newtown-help-planting")}</p>${renderMoveButtons(p, ["plant"])}`;
    case "drafting":
      return nothing;
    case "walking":
      return html`<p>${ui.t("newtown-help-walking", {
        pips: green,
        round: state.round,
      })}</p>${renderWays(p)}${renderMoveButtons(p, ["stay"])}`;
    case "managing":
      return html`<p>${ui.t("newtown-help-managing", { pips: red })}</p>
      <div class="acts">${ui
        .legalMoves("buy")
        .map((move) =>
          renderMoveButton(
            p,
            move,
            html`${renderBlock(p, move.args.size, "tiny")} ${ui.t("newtown-block", { n: move.args.size })}`,
            "quiet small",
          ),
        )}</div>
      <div class="acts">${ui
        .legalMoves("again")
        .map((move) =>
          renderMoveButton(
            p,
            move,
            html`${renderDie(
              state.white[p.seat][p.whites.indexOf(move.args.die)],
              "small",
            )} ↻${hideVisually(ui.moveText(move))}`,
            "quiet small",
          ),
        )}</div>${renderMoveButtons(p, ["finish"])}`;
    default:
      return html`<p>${ui.t("newtown-help-voting")}</p>${renderMoveButtons(p, ["vote"])}`;
  }
}

/** Render the lands within reach and the steps to each, with the white dice's land emphasized. @param {Position} p */
function renderWays(p) {
  const { ui, state } = p;
  const steps = new Map(p.facts.steps);
  const goal = p.facts.goals;
  return html`<ul class="ways">${ui.legalMoves("walk").map((move) => {
    const land = p.lands.indexOf(move.args.land);
    const n = steps.get(land);
    const on = tooltipHandlers(ui, `land-${land}`);
    return html`<li><button class="way ground-${p.ground(land)} ${goal.includes(land) ? "goal" : ""}"
        @click=${() => ui.play(move)}
      @pointerenter=${on.enter} @pointerleave=${on.leave} @focus=${on.focus} @blur=${on.blur}>
      <b aria-hidden="true">${p.landMark(land)}</b>${state.tree[land] ? html`<i aria-hidden="true">♣</i>` : nothing}
        <small aria-hidden="true">${n}</small>
        ${hideVisually(ui.joinParts([ui.moveText(move), ui.t("newtown-steps", { n })]))}</button></li>`;
  })}</ul>`;
}

/** @param {Position} p @param {string[]} verbs */
const renderMoveButtons = (p, verbs) =>
  html`<div class="acts">${verbs
    .flatMap((verb) => p.ui.legalMoves(verb))
    .map((move) => renderMoveButton(p, move, p.ui.moveText(move), "quiet"))}</div>`;

/** Render the uses of black pips while building, and the splitting and joining of blocks. @param {Position} p */
export function renderCarving(p) {
  const { ui } = p;
  const moves = [...ui.legalMoves("split"), ...ui.legalMoves("join")];
  if (!p.isOriginal) return nothing;
  return html`<p>${ui.t("newtown-help-black", { pips: p.unspent.black })}</p>${
    moves.length
      ? renderFold(
          p,
          "carve",
          ui.t("newtown-carve"),
          () =>
            html`<div class="acts">${moves.map((move) => {
              const { size, part } = move.args;
              const whole = renderBlock(p, size, "tiny");
              const parts = html`${renderBlock(p, part, "tiny")} ${renderBlock(p, size - part, "tiny")}`;
              return renderMoveButton(
                p,
                move,
                html`${move.verb === "split" ? html`${whole} → ${parts}` : html`${parts} → ${whole}`}
                  ${hideVisually(ui.moveText(move))}`,
                "quiet small",
              );
            })}</div>`,
        )
      : nothing
  }`;
}

/**
 * Return sentences on the pool and the drafted dice, or on the land to build on and the pips and their uses.
 * @param {Position} p @returns {string[]}
 */
export function describeOriginal(p) {
  const { ui, state, phase } = p;
  const { green, red, black } = p.unspent;
  if (phase === "drafting") {
    const left = p.poolColours.map((colour, c) =>
      ui.formatLabelled(
        ui.joinParts([ui.t("newtown-pool-title"), ui.t(`newtown-colour-${colour}`)]),
        expandFaces(state.pool[c]).join(" ") || ui.t("newtown-none"),
      ),
    );
    return [
      ...left,
      ui.t("newtown-help-drafting"),
      ...p.order.map((seat) => ui.formatLabelled(ui.playerName(seat), draftedText(p, seat))),
    ];
  }
  if (!p.hasPips) return ["planting", "voting"].includes(phase) ? [ui.t(`newtown-help-${phase}`)] : [];
  const lands = ui.formatList(p.facts.goals.map((/** @type {number} */ land) => p.landName(land)));
  const lines = [ui.t("newtown-goals", { lands }), ui.t("newtown-pips", { green, red, black })];
  if (phase === "managing") lines.push(ui.t("newtown-help-managing", { pips: red }));
  if (phase === "building") lines.push(ui.t("newtown-help-black", { pips: black }));
  if (phase !== "walking") return lines;
  return [
    ...lines,
    ui.t("newtown-help-walking", { pips: green, round: state.round }),
    ...p.facts.steps.map((/** @type {[number, number]} */ [land, n]) =>
      ui.formatLabelled(p.landName(land), ui.t("newtown-steps", { n })),
    ),
  ];
}
