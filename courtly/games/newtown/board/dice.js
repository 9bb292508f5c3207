/** The dice of the active player: where the white ones lead, and the uses of the coloured ones. */
import { html, nothing, svg } from "lit";
import { renderDie } from "../../../web/board-sdk/die.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderLandCardChoice } from "./cards.js";
import { renderBlock } from "./pictures.js";
import { formatPercent } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

/**
 * Render a button for a move.
 * @param {Position} p @param {Move} move @param {unknown} [text] @param {string} [extra]
 */
export const renderMoveButton = (p, move, text = p.ui.moveText(move), extra = "") =>
  html`<button class="button ${extra}" @click=${() => p.ui.play(move)}>${text}</button>`;

/** @param {Position} p */
export function renderDiceTray(p) {
  const { ui, state } = p;
  const seat = p.seat;
  if (seat < 0 || p.phase === "drafting" || !state.white[seat][0]) return nothing;
  const falling = (/** @type {number} */ i) => ((state.falling >> i) & 1 ? " falling" : "");
  return html`<div class="tray tint-${seat}">
    ${p.whites.map((_, i) => renderWhiteDie(p, i, falling(i)))}<b class="total" data-key="total">${p.facts.total}</b>
    ${p.colours.map(
      (colour, i) => html`<span class="slot ${colour} ${state.used[seat][i] ? "used" : ""}"
        title=${ui.t(`newtown-die-${colour}`)}>
      <span data-key="die-${colour}">${renderDie(state.coloured[seat][i], `${colour}${falling(i + 3)}`)}</span>
      ${
        p.hasPips
          ? html`<em class="times" title=${ui.t("newtown-pips-left", { n: state.pips[i] })}>${state.pips[i]}</em>`
          : nothing
      }
      ${hideVisually(
        `${ui.t(`newtown-die-${colour}`)} ${state.coloured[seat][i]}${
          state.used[seat][i] ? ui.t("newtown-used-mark") : ""
        }`,
      )}</span>`,
    )}
    <p>${ui.t(p.facts.king ? "newtown-total-or-king" : "newtown-total")}</p></div>`;
}

/** @param {Position} p @param {number} i @param {string} falling */
function renderWhiteDie(p, i, falling) {
  const { ui, state } = p;
  const times = state.times[p.seat][i];
  const face = state.white[p.seat][i];
  const picking = p.canAct && p.phase === "rerolling";
  const mark = times === 1 ? nothing : html`<em class="times">${times === 0 ? ui.t("newtown-left-out") : "×2"}</em>`;
  if (!picking)
    return html`<span class="slot ${times ? "" : "out"}"><span
        data-key="die-${p.whites[i]}">${renderDie(face, falling)}</span>${mark}
    ${hideVisually(face)}</span>`;
  const picked = p.selectedDice;
  return html`<button class="slot pick ${picked[i] ? "picked" : ""}" aria-pressed=${picked[i]}
      aria-label=${ui.t("newtown-pick-die", { face })}
    @click=${() => ui.setLocal({ picked: picked.map((on, k) => (k === i ? !on : on)) })}>
      <span data-key="die-${p.whites[i]}">${renderDie(face, falling)}</span></button>`;
}

/** Render the chances of the lands as bars. @param {Position} p */
export function renderOddsBars(p) {
  const all = p.rollPercents;
  if (!all) return nothing;
  const most = Math.max(...all);
  return html`<figure class="odds-bars"><figcaption>${p.ui.t("newtown-odds")}</figcaption>
    <ol>${all.map(
      (chance, land) => html`<li class="ground-${p.ground(land)} ${chance ? "" : "never"}"
              title="${p.landName(land)} ${formatPercent(chance)}">
        <i><b .style=${`height:${Math.round((100 * chance) / most)}%`}></b></i><span
            aria-hidden="true">${p.landMark(land)}</span>
          ${hideVisually(`${p.landName(land)} ${formatPercent(chance)}`)}</li>`,
    )}</ol></figure>`;
}

// --- uses of the dice
// -------------------------------------------------------------------------------------------------

/** @param {Position} p */
export function renderPlacing(p) {
  const { ui } = p;
  return html`<div class="acts">${[...ui.legalMoves("go"), ...ui.legalMoves("aim")].map((move) =>
    renderMoveButton(p, move),
  )}
    ${renderLawnUses(p)}</div>`;
}

/** Render the uses of green land cards. @param {Position} p */
function renderLawnUses(p) {
  const moves = p.ui.legalMoves("lawn");
  if (!moves.length) return nothing;
  return renderFold(
    p,
    "green",
    p.ui.t("newtown-use-lawn"),
    () => html`<p>${p.ui.t("newtown-use-lawn-help")}</p>
    <div class="acts">${moves.map((move) => {
      const i = p.whites.indexOf(move.args.die);
      const face = p.state.white[p.seat][i];
      const sum = p.facts.lawn[i][p.ui.about.moves.lawn.args.way.values.indexOf(move.args.way)];
      return renderMoveButton(
        p,
        move,
        html`${renderDie(face, "small")} ${p.ui.t(`newtown-way-${move.args.way}`)} → <b>${sum}</b>`,
        "quiet small",
      );
    })}</div>`,
  );
}

/**
 * Render a rarely used part, only while it is unfolded.
 * @param {Position} p @param {string} colour @param {string} title @param {() => unknown} content
 */
export function renderFold(p, colour, title, content) {
  const { ui } = p;
  const open = ui.local.open === colour;
  const toggle = (/** @type {Event} */ event) => {
    const now = /** @type {HTMLDetailsElement} */ (event.target).open;
    if (now !== open) ui.setLocal({ open: now ? colour : null });
  };
  return html`<details class="card-use ${colour}" ?open=${open}
      @toggle=${toggle}><summary>${title}</summary>${open ? content() : nothing}</details>`;
}

/** Render a row for each coloured die: a block, or its effect. @param {Position} p */
export function renderDieUses(p) {
  const { ui, state } = p;
  const seat = p.seat;
  const triples = ui.legalMoves("triple");
  const [size] = state.coloured[seat]; // a triple has equal dice
  return html`${
    triples.length
      ? html`<div class="triple">
        <p><b>${ui.t("newtown-triple", { n: size })}</b> ${ui.t("newtown-triple-help")}</p>
        <div class="acts">${triples.map((move) =>
          renderMoveButton(
            p,
            move,
            html`${Array.from({ length: p.box.dice.triple_blocks }, () => renderBlock(p, size, "tiny"))} 
              ${move.args.effect === "nothing" ? "" : "+ "}${ui.t(`newtown-effect-${move.args.effect}`)}`,
            "quiet small",
          ),
        )}</div></div>`
      : nothing
  }
    <ol class="uses">${p.colours.map((colour, i) => renderDieUse(p, colour, i))}</ol>
    <p class="limits">${ui.t("newtown-blocks-left", { n: p.facts.left })}</p>
    ${renderCardUses(p)}
    <div class="acts">${ui
      .legalMoves("finish")
      .map((move) =>
        renderMoveButton(p, move, ui.moveText(move), state.used[seat].every(Boolean) ? "" : "quiet"),
      )}</div>`;
}

/** @param {Position} p @param {string} colour @param {number} i */
function renderDieUse(p, colour, i) {
  const { ui, state } = p;
  const face = state.coloured[p.seat][i];
  const used = state.used[p.seat][i];
  const [take] = ui.legalMoves("block", { die: colour });
  const verb = p.facts.effects[i];
  const effects = ui.legalMoves(verb);
  const choosing = verb === "take" && ui.local.choosing;
  return html`<li class="use ${colour} ${used ? "used" : ""}">
    <span class="name">${ui.t(`newtown-colour-${colour}`)}</span>
    ${
      used
        ? html`<span class="quiet">${ui.t("newtown-used")}</span>`
        : html`
          ${
            take
              ? html`<button class="button quiet small"
                @click=${() => ui.play(take)}>${renderBlock(p, face, "tiny")}
                ${ui.t("newtown-take-block", { n: face })}</button>`
              : html`<span class="why">${ui.t(`newtown-why-${p.facts.why[i]}`)}</span>`
          }
          ${
            effects.length
              ? html`<button class="button quiet small" aria-pressed=${verb === "take" ? Boolean(choosing) : nothing}
                @click=${() => (verb === "take" ? ui.setLocal({ choosing: !choosing }) : ui.play(...effects))}>${ui.t(
                  `newtown-gives-${verb}`,
                  { n: p.facts.gives[i] },
                )}</button>`
              : verb === "take"
                ? html`<span class="why">${ui.t("newtown-why-row-empty")}</span>`
                : nothing
          }`
    }
    ${
      used
        ? nothing
        : choosing
          ? html`<span class="choose">${ui.t("newtown-choose-card")}</span>${renderLandCardChoice(p)}`
          : html`<span class="help">${ui.t(`newtown-effect-help-${colour}`)}</span>`
    }
  </li>`;
}

/** Render the land cards that can be used now. @param {Position} p */
export function renderCardUses(p) {
  const { ui } = p;
  const plus = ui.legalMoves("plus");
  const swap = ui.legalMoves("swap");
  const mud = ui.legalMoves("mud");
  if (![plus, swap, mud, ui.legalMoves("lawn")].some((moves) => moves.length)) return nothing;
  return html`<div class="card-uses">${renderLawnUses(p)}
    ${
      plus.length
        ? html`<div class="card-use blue"><p>${ui.t("newtown-use-plus")}</p><div class="acts">${plus.map((move) => {
            const i = p.colours.indexOf(move.args.die);
            return renderMoveButton(
              p,
              move,
              html`${renderDie(p.state.coloured[p.seat][i], `small ${move.args.die}`)} → ${renderDie(
                p.facts.plus[i],
                `small ${move.args.die}`,
              )}
                ${hideVisually(ui.moveText(move))}`,
              "quiet small",
            );
          })}</div></div>`
        : nothing
    }
    ${
      swap.length
        ? html`<div class="card-use red"><p>${ui.t("newtown-use-swap")}</p>
          <div class="acts">${swap.map((move) =>
            renderMoveButton(
              p,
              move,
              html`${renderDie(p.face("green"), "small green")} ⇄ ${renderDie(p.face("black"), "small black")}
                ${hideVisually(ui.moveText(move))}`,
              "quiet small",
            ),
          )}</div></div>`
        : nothing
    }
    ${
      mud.length
        ? html`<div class="card-use yellow"><p>${ui.t("newtown-use-mud")}</p>
          <div class="acts">${mud.map((move) =>
            renderMoveButton(
              p,
              move,
              html`${renderBlock(p, 1, "tiny")} ${ui.t(`newtown-way-${move.args.way}`)}`,
              "quiet small",
            ),
          )}</div></div>`
        : nothing
    }</div>`;
}

/** @param {Position} p */
export function renderRerolling(p) {
  const { ui, state } = p;
  const [roll] = ui.legalMoves("roll", { dice: p.diceSelection });
  return html`<p>${ui.t("newtown-reroll-help", { n: state.rerolls })}</p>
    <div class="acts"><button class="button" ?disabled=${!roll}
      @click=${() => ui.play(roll)}>${ui.t("newtown-roll", { n: p.selectedDice.filter(Boolean).length })}</button>
      ${ui.legalMoves("stop").map((move) => renderMoveButton(p, move, ui.moveText(move), "quiet"))}</div>`;
}

/** @param {number} n */
export const renderGems = (n) =>
  html`<span class="gems" aria-hidden="true">${Array.from({ length: Math.min(n, 5) }, () => renderGem())}</span>`;
export const renderGem = () => html`<svg class="gem" viewBox="0 0 20 18"
  aria-hidden="true">${svg`<path class="facet" d="M5 1h10l4 5-9 11L1 6z"></path>
    <path class="light" d="M5 1l2 5h6l2-5M1 6h18M7 6l3 11 3-11"></path>`}</svg>`;
