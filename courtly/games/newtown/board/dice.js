/** The dice of the player at turn: where the white ones lead, and what each coloured one can give. */
import { html, nothing, svg } from "lit";
import { die } from "../../../web/board-sdk/die.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { choice } from "./cards.js";
import { block } from "./pictures.js";
import { percent } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

/** A button for a move. @param {Position} p @param {Move} move @param {unknown} [text] @param {string} [extra] */
export const action = (p, move, text = p.ui.order(move), extra = "") =>
  html`<button class="button ${extra}" @click=${() => p.ui.play(move)}>${text}</button>`;

/** @param {Position} p */
export function diceTray(p) {
  const { ui, s } = p;
  const seat = p.seat;
  if (seat < 0 || p.phase === "drafting" || !s.white[seat][0]) return nothing;
  const falling = (/** @type {number} */ i) => ((s.falling >> i) & 1 ? " falling" : "");
  return html`<div class="tray tint-${seat}">
    ${p.whites.map((_, i) => whiteDie(p, i, falling(i)))}<b class="total" data-key="total">${p.facts.total}</b>
    ${p.colours.map(
      (
        colour,
        i,
      ) => html`<span class="slot ${colour} ${s.used[seat][i] ? "used" : ""}" title=${ui.t(`newtown-die-${colour}`)}>
      <span data-key="die-${colour}">${die(s.coloured[seat][i], `${colour}${falling(i + 3)}`)}</span>
      ${
        p.pips
          ? html`<em class="times" title=${ui.t("newtown-pips-left", { n: s.pips[i] })}>${s.pips[i]}</em>`
          : nothing
      }
      ${unseen(
        `${ui.t(`newtown-die-${colour}`)} ${s.coloured[seat][i]}${s.used[seat][i] ? ui.t("newtown-used-mark") : ""}`,
      )}</span>`,
    )}
    <p>${ui.t(p.facts.king ? "newtown-total-or-king" : "newtown-total")}</p></div>`;
}

/** @param {Position} p @param {number} i @param {string} falling */
function whiteDie(p, i, falling) {
  const { ui, s } = p;
  const times = s.times[p.seat][i];
  const face = s.white[p.seat][i];
  const picking = p.mine && p.phase === "rerolling";
  const mark = times === 1 ? nothing : html`<em class="times">${times === 0 ? ui.t("newtown-left-out") : "×2"}</em>`;
  if (!picking)
    return html`<span class="slot ${times ? "" : "out"}"><span
        data-key="die-${p.whites[i]}">${die(face, falling)}</span>${mark}
    ${unseen(face)}</span>`;
  const picked = p.picked;
  return html`<button class="slot pick ${picked[i] ? "picked" : ""}" aria-pressed=${picked[i]}
      aria-label=${ui.t("newtown-pick-die", { face })}
    @click=${() => ui.set({ picked: picked.map((on, k) => (k === i ? !on : on)) })}>
      <span data-key="die-${p.whites[i]}">${die(face, falling)}</span></button>`;
}

/** How likely each land is, as bars. @param {Position} p */
export function oddsBars(p) {
  const all = p.rollOdds;
  if (!all) return nothing;
  const most = Math.max(...all);
  return html`<figure class="odds-bars"><figcaption>${p.ui.t("newtown-odds")}</figcaption>
    <ol>${all.map(
      (chance, land) => html`<li class="ground-${p.ground(land)} ${chance ? "" : "never"}"
              title="${p.landName(land)} ${percent(chance)}">
        <i><b .style=${`height:${Math.round((100 * chance) / most)}%`}></b></i><span
            aria-hidden="true">${p.mark(land)}</span>
          ${unseen(`${p.landName(land)} ${percent(chance)}`)}</li>`,
    )}</ol></figure>`;
}

// --- what to do with them --------------------------------------------------------------------------------------------

/** @param {Position} p */
export function placing(p) {
  const { ui } = p;
  return html`<div class="acts">${[...ui.can("go"), ...ui.can("aim")].map((move) => action(p, move))}
    ${lawns(p)}</div>`;
}

/** Green land cards. @param {Position} p */
function lawns(p) {
  const moves = p.ui.can("lawn");
  if (!moves.length) return nothing;
  return fold(
    p,
    "green",
    p.ui.t("newtown-use-lawn"),
    () => html`<p>${p.ui.t("newtown-use-lawn-help")}</p>
    <div class="acts">${moves.map((move) => {
      const i = p.whites.indexOf(move.args.die);
      const face = p.s.white[p.seat][i];
      const sum = p.facts.lawn[i][p.ui.about.moves.lawn.args.way.values.indexOf(move.args.way)];
      return action(
        p,
        move,
        html`${die(face, "small")} ${p.ui.t(`newtown-way-${move.args.way}`)} → <b>${sum}</b>`,
        "quiet small",
      );
    })}</div>`,
  );
}

/**
 * What is seldom wanted: drawn when it is unfolded.
 * @param {Position} p @param {string} colour @param {string} title @param {() => unknown} content
 */
export function fold(p, colour, title, content) {
  const { ui } = p;
  const open = ui.local.open === colour;
  const toggle = (/** @type {Event} */ event) => {
    const now = /** @type {HTMLDetailsElement} */ (event.target).open;
    if (now !== open) ui.set({ open: now ? colour : null });
  };
  return html`<details class="card-use ${colour}" ?open=${open}
      @toggle=${toggle}><summary>${title}</summary>${open ? content() : nothing}</details>`;
}

/** One row for each coloured die: a block, or its effect. @param {Position} p */
export function acting(p) {
  const { ui, s } = p;
  const seat = p.seat;
  const triples = ui.can("triple");
  const [size] = s.coloured[seat]; // of a triple: all are alike
  return html`${
    triples.length
      ? html`<div class="triple">
        <p><b>${ui.t("newtown-triple", { n: size })}</b> ${ui.t("newtown-triple-help")}</p>
        <div class="acts">${triples.map((move) =>
          action(
            p,
            move,
            html`${Array.from({ length: p.box.dice.triple_blocks }, () => block(p, size, "tiny"))} 
              ${move.args.effect === "nothing" ? "" : "+ "}${ui.t(`newtown-effect-${move.args.effect}`)}`,
            "quiet small",
          ),
        )}</div></div>`
      : nothing
  }
    <ol class="uses">${p.colours.map((colour, i) => useOf(p, colour, i))}</ol>
    <p class="limits">${ui.t("newtown-blocks-left", { n: p.facts.left })}</p>
    ${cardUses(p)}
    <div class="acts">${ui
      .can("finish")
      .map((move) => action(p, move, ui.order(move), s.used[seat].every(Boolean) ? "" : "quiet"))}</div>`;
}

/** @param {Position} p @param {string} colour @param {number} i */
function useOf(p, colour, i) {
  const { ui, s } = p;
  const face = s.coloured[p.seat][i];
  const used = s.used[p.seat][i];
  const [take] = ui.can("block", { die: colour });
  const verb = p.facts.effects[i];
  const effects = ui.can(verb);
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
                @click=${() => ui.play(take)}>${block(p, face, "tiny")}
                ${ui.t("newtown-take-block", { n: face })}</button>`
              : html`<span class="why">${ui.t(`newtown-why-${p.facts.why[i]}`)}</span>`
          }
          ${
            effects.length
              ? html`<button class="button quiet small" aria-pressed=${verb === "take" ? Boolean(choosing) : nothing}
                @click=${() => (verb === "take" ? ui.set({ choosing: !choosing }) : ui.play(...effects))}>${ui.t(
                  `newtown-gives-${verb}`,
                  { n: p.facts.gives[i] },
                )}</button>`
              : nothing
          }`
    }
    ${
      used
        ? nothing
        : choosing
          ? html`<span class="choose">${ui.t("newtown-choose-card")}</span>${choice(p)}`
          : html`<span class="help">${ui.t(`newtown-effect-help-${colour}`)}</span>`
    }
  </li>`;
}

/** Land cards that can be used now. @param {Position} p */
export function cardUses(p) {
  const { ui } = p;
  const plus = ui.can("plus");
  const swap = ui.can("swap");
  const mud = ui.can("mud");
  return html`${lawns(p)}
    ${
      plus.length
        ? html`<div class="card-use blue"><p>${ui.t("newtown-use-plus")}</p><div class="acts">${plus.map((move) => {
            const i = p.colours.indexOf(move.args.die);
            return action(
              p,
              move,
              html`${die(p.s.coloured[p.seat][i], `small ${move.args.die}`)} → ${die(
                p.facts.plus[i],
                `small ${move.args.die}`,
              )}
                ${unseen(ui.order(move))}`,
              "quiet small",
            );
          })}</div></div>`
        : nothing
    }
    ${
      swap.length
        ? html`<div class="card-use red"><p>${ui.t("newtown-use-swap")}</p>
          <div class="acts">${swap.map((move) =>
            action(
              p,
              move,
              html`${die(p.face("green"), "small green")} ⇄ ${die(p.face("black"), "small black")}
                ${unseen(ui.order(move))}`,
              "quiet small",
            ),
          )}</div></div>`
        : nothing
    }
    ${
      mud.length
        ? html`<div class="card-use yellow"><p>${ui.t("newtown-use-mud")}</p>
          <div class="acts">${mud.map((move) =>
            action(p, move, html`${block(p, 1, "tiny")} ${ui.t(`newtown-way-${move.args.way}`)}`, "quiet small"),
          )}</div></div>`
        : nothing
    }`;
}

/** @param {Position} p */
export function rerolling(p) {
  const { ui, s } = p;
  const [roll] = ui.can("roll", { dice: p.handful });
  return html`<p>${ui.t("newtown-reroll-help", { n: s.rerolls })}</p>
    <div class="acts"><button class="button" ?disabled=${!roll}
      @click=${() => ui.play(roll)}>${ui.t("newtown-roll", { n: p.picked.filter(Boolean).length })}</button>
      ${ui.can("stop").map((move) => action(p, move, ui.order(move), "quiet"))}</div>`;
}

/** @param {number} n */
export const gems = (n) =>
  html`<span class="gems" aria-hidden="true">${Array.from({ length: Math.min(n, 5) }, () => svgGem())}</span>`;
export const svgGem = () => html`<svg class="gem" viewBox="0 0 20 18"
  aria-hidden="true">${svg`<path class="facet" d="M5 1h10l4 5-9 11L1 6z"></path>
    <path class="light" d="M5 1l2 5h6l2-5M1 6h18M7 6l3 11 3-11"></path>`}</svg>`;
