/** What a seat played last: each servant it turned up, with the effect, the basic good and the building. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderChip, renderIcon } from "./figures.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("../../../web/core/api-types.js").Cue} Cue
 */

const SHOWN_VERBS = ["reveal", "gain", "take", "buy", "kill", "steal", "offer", "rob", "lead", "clear", "stolen"];

/**
 * Return a seat's public moves since the draft before its last turn, and whether a new round has begun since.
 * @param {Position} p @param {number} seat @returns {{moves: Cue[], isOver: boolean}}
 */
function playedMoves({ ui, roundPart }, seat) {
  const own = ui.cues.filter((cue) => cue.seat === seat || (cue.verb === "stolen" && Number(cue.args?.thief) === seat));
  const last = own.findLastIndex(({ verb }) => verb === "reveal");
  const start = own.slice(0, Math.max(last, 0)).findLastIndex(({ verb }) => verb === "keep") + 1;
  return {
    moves: own.slice(start).filter(({ verb, args }) => args && SHOWN_VERBS.includes(verb)),
    isOver: roundPart === "draft" || own.slice(last).some(({ verb }) => verb === "keep"),
  };
}

/** Render what a seat played: a line for each servant. @param {Position} p @param {number} seat */
export function renderPlayed(p, seat) {
  const { ui } = p;
  const { moves, isOver } = playedMoves(p, seat);
  /** @type {Cue[][]} */
  const turns = [];
  let current = turns[0];
  for (const cue of moves) {
    if (cue.verb === "reveal") {
      current = [cue];
      turns.push(current);
    } else if (cue.verb === "stolen") {
      // what it brings is the Imp's, even if another servant has been turned up since
      current = turns.find(([reveal]) => reveal.args?.servant === "imp") ?? current;
    } else current?.push(cue);
  }
  if (!turns.length) return nothing;
  return html`<div class="played"><small>${ui.t(isOver ? "puppet-last-round" : "puppet-played")}</small>
    <ol>${turns.map(
      (turn) => html`<li>${hideVisually(ui.joinSentences(turn.map((cue) => ui.cueText(cue))))}<span
          aria-hidden="true">${turn.map((cue) => renderMove(p, cue))}</span></li>`,
    )}</ol></div>`;
}

/** @param {Position} p @param {Cue} cue */
function renderMove(p, { verb, args }) {
  const { ui } = p;
  const { servant, good, amount = 1, building, target, goods = "" } = args ?? {};
  const piece = (/** @type {unknown} */ content) => html`<span class="piece">${content}</span>`;
  if (verb === "reveal")
    return html`<b class="piece">${renderIcon(servant)}<span class="name">${ui.t(
      `puppet-servant-${servant}`,
    )}</span></b>`;
  if (["gain", "take", "rob"].includes(verb)) return piece(html`${ui.formatPlus(amount)}${renderChip(good)}`);
  if (verb === "offer")
    return piece(
      html`${String(goods)
        .split("-")
        .map((each) => renderChip(each))}→${renderChip("honour")}`,
    );
  if (verb === "lead") return piece(renderIcon("parent"));
  if (verb === "buy" || verb === "clear") {
    const name = ui.t(`puppet-building-${building}`);
    return piece(html`${renderIcon(building)}${verb === "buy" ? name : html`<s>${name}</s>`}`);
  }
  return piece(html`→ ${ui.renderShield(target, "tiny")}${ui.t(`puppet-servant-${servant}`)}`);
}
