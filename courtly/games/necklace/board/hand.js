/** My hand, sorted by use, and what can be done now. */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { below, detail, group, named, small } from "./cards.js";
import { buying } from "./counter.js";
import { stone } from "./gems.js";
import { LAID } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

const MANY = 15; // more kinds of cards than this are drawn smaller
const GROUPS = ["gem", "sale", "influence", "special"];
/** Cards whose verb has another name. @type {Record<string, string>} */
const VERBS = { musketeer: "musketeers" };

/** @param {Position} p */
export function mine(p) {
  const { ui } = p;
  const hand = p.hand;
  if (p.me === null) return below() && ui.local.detail ? html`<div class="acts">${told(p)}</div>` : nothing;
  return html`<section class="my-cards ${p.phase} ${p.mine ? "deciding" : ""}" aria-label=${ui.t("necklace-hand")}>
    <div class="hand ${hand.length > MANY ? "many" : ""}">${GROUPS.map((kind) =>
      pile(
        p,
        kind,
        hand.filter(([card]) => group(p, card) === kind),
      ),
    )}
      ${
        hand.length
          ? nothing
          : html`<p
            class="none">${ui.labelled(ui.t("necklace-hand"), ui.t("necklace-hand-empty"))}</p>`
      }</div>
    <div class="acts">${told(p)}${purse(p)}${acts(p)}</div>
  </section>`;
}

/** @param {Position} p @param {string} kind @param {[string, number][]} cards */
function pile(p, kind, cards) {
  if (!cards.length) return nothing;
  const heading = p.ui.t(`necklace-hand-${kind}`);
  return html`<section class="pile ${kind}" aria-label=${heading}><h2>${heading}</h2><div>${cards.map(([card, n]) =>
    held(p, card, n),
  )}</div></section>`;
}

/** @param {Position} p @param {string} card @param {number} n */
function held(p, card, n) {
  const { ui } = p;
  const left = p.facts.tray?.left[p.names.indexOf(card)] ?? n;
  const act = action(p, card);
  return small(p, card, Math.max(left, 1), {
    key: `hand-${card}`,
    act,
    on: ui.local.use === card,
    where: "hand",
    quiet: left === 0,
  });
}

/**
 * What a click on a card of my hand does now, or null.
 * @param {Position} p @param {string} card @returns {(() => void) | null}
 */
function action(p, card) {
  const { ui } = p;
  const pick = () => ui.set({ use: ui.local.use === card ? "" : card, target: null, detail: null });
  if (p.phase === "show") {
    const [move] = card === "banker" ? ui.can(p.lays("banker")) : ui.can(p.lays("lay"), { card });
    if (move) return () => ui.play(move);
    const places = card in LAID ? ui.can(p.lays(LAID[card])) : [];
    return places.length === 1 ? () => ui.play(places[0]) : places.length ? pick : null;
  }
  const [answer] = [
    ...ui.can("discard", { card }),
    ...(card === "musketeer" ? ui.can("cancel") : []),
    ...(card === "cardinal" ? ui.can("cardinal") : []),
    ...(card === "queen" ? ui.can("take") : []),
  ];
  if (answer) return () => ui.play(answer);
  return p.phase === "influence" && ui.can(VERBS[card] ?? card).length ? pick : null;
}

/** On a phone: the words of the card that was touched, and the button that buys it. @param {Position} p */
function told(p) {
  const [where, ...name] = (p.ui.local.detail ?? "").split("-");
  const slot = Number(name[0]);
  const card = where === "slot" ? p.offers[slot].card : name.at(-1);
  return card && below() ? html`${detail(p, card)}${where === "slot" ? buying(p, slot) : nothing}` : nothing;
}

/** The money of this turn. @param {Position} p */
function purse(p) {
  const { ui, s } = p;
  if (!p.facts.spending) return nothing;
  const text =
    s.active === p.me
      ? ui.t("necklace-ducats", { n: s.budget })
      : ui.t("necklace-budget-of", { name: ui.name(s.active), n: s.budget });
  return html`<p class="purse" data-key="purse"><span class="coin"
      aria-hidden="true">${s.budget}</span><span>${text}</span></p>`;
}

// --- what can be done ------------------------------------------------------------------------------------------------

/** @param {Position} p */
function acts(p) {
  const { ui } = p;
  if (p.phase === "show") return showing(p);
  if (ui.local.use) return using(p, ui.local.use);
  const [end] = ui.can("end");
  return html`${["take", "cardinal", "alchemist", "cancel", "show_hand"]
    .flatMap((verb) => ui.can(verb))
    .map((move) => button(p, move, "button"))}
    ${["decline", "no_cardinal", "no_alchemist"]
      .flatMap((verb) => ui.can(verb))
      .map((move) => button(p, move, "button quiet"))}
    ${ui.can("discard").map((move) => button(p, move, "button"))}
    ${end ? button(p, end, "button") : nothing}`;
}

/** @param {Position} p @param {Move} move @param {string} look */
const button = (p, move, look) =>
  html`<button class=${look} @click=${() => p.ui.play(move)}>${p.ui.order(move)}</button>`;

/** An influence card was chosen: whom, which gem? @param {Position} p @param {string} card */
function using(p, card) {
  const { ui } = p;
  const moves = ui.can(VERBS[card] ?? card);
  const targets = [...new Set(moves.flatMap(({ args }) => args.target ?? []))];
  const target = ui.local.target ?? (targets.length === 1 ? targets[0] : null);
  const open = moves.filter(({ args }) => args.target === undefined || args.target === target);
  const ask = !open.length ? ui.t("necklace-whom") : open[0].args.gem ? ui.t("necklace-which-gem") : "";
  return html`<p class="nk-hint"><b>${ui.t("necklace-chosen", { card })}</b>${ask ? ` – ${ask}` : ""}</p>
    <div class="choose">
      ${
        open.length
          ? open.map((move) => (move.args.gem ? gemButton(p, move) : button(p, move, "button")))
          : targets.map((seat) => playerButton(p, moves, seat))
      }
      <button class="button quiet" @click=${() => ui.set({ use: "", target: null })}>✕${unseen(
        ui.t("necklace-close"),
      )}</button>
    </div>`;
}

/** @param {Position} p @param {Move} move */
const gemButton = (p, move) => html`<button class="pick" @click=${() => p.ui.play(move)} title=${p.ui.order(move)}>
  ${stone(move.args.gem)}<span>${p.ui.t(`necklace-gem-${move.args.gem}`)}</span></button>`;

/** @param {Position} p @param {Move[]} moves @param {number} seat */
function playerButton(p, moves, seat) {
  const { ui } = p;
  const these = moves.filter(({ args }) => args.target === seat);
  return html`<button class="pick" @click=${() => (these.length === 1 ? ui.play(these[0]) : ui.set({ target: seat }))}>
    ${ui.shield(seat, "tiny")}<span>${ui.name(seat)}</span></button>`;
}

/** Who has not decided yet. @param {Position} p */
const waitedFor = ({ ui, view }) => ui.t("necklace-waiting-others", { names: ui.names(view.pending) });

const OPENLY = ["lay_open", "ring_open", "king_open", "necklace_open", "banker_open"];

/** Is the next card laid covered, or openly? Asked anew for each card, for an open one stays. @param {Position} p */
function manner(p) {
  const { ui } = p;
  const open = Boolean(ui.local.openly);
  if (!OPENLY.some((verb) => ui.can(verb).length)) return nothing;
  return html`<div class="manner" role="group" aria-label=${ui.t("necklace-manner")}>${[false, true].map(
    (openly) =>
      html`<button class="button quiet small" aria-pressed=${openly === open} @click=${() =>
        ui.set({ openly, use: "" })}>${ui.t(openly ? "necklace-manner-open" : "necklace-manner-covered")}</button>`,
  )}</div>
  ${open ? html`<p class="nk-hint">${ui.t("necklace-manner-help")}</p>` : nothing}`;
}

/** In a sale: take back, and ready. @param {Position} p */
function showing(p) {
  const { ui, s } = p;
  const [commit] = ui.can("commit");
  const [clear] = ui.can("clear");
  const n = p.me === null ? 0 : [...s.tray[p.me], ...s.openly[p.me]].reduce((a, b) => a + b, 0);
  if (!p.mine) return html`<p class="nk-hint">${waitedFor(p)}</p>`;
  if (commit && !n && ui.local.nothing) return keepingAll(p, commit);
  const possible = !n && ui.can("lay").length > 0;
  return html`${manner(p)}${
    ui.local.use
      ? html`<p class="nk-hint"><b>${named(p, ui.local.use)}</b> – ${ui.t("necklace-lay-with")}</p>`
      : nothing
  }
    ${
      commit
        ? html`<button class=${possible ? "button quiet" : "button"}
            @click=${() => (possible ? ui.set({ nothing: true }) : ui.play(commit))}>${
              n ? ui.t("necklace-show-cards", { n }) : ui.t("necklace-show-nothing")
            }</button>`
        : nothing
    }
    ${clear ? button(p, clear, "button quiet") : nothing}`;
}

/** Cards could be shown, and none is: on purpose? @param {Position} p @param {Move} commit */
const keepingAll = ({ ui }, commit) => html`<p class="nk-hint"><b>${ui.t("necklace-show-nothing-sure")}</b></p>
  <button class="button" @click=${() => ui.play(commit)}>${ui.t("necklace-show-nothing")}</button>
  <button class="button quiet" @click=${() => ui.set({ nothing: false })}>${ui.t(
    "necklace-show-nothing-back",
  )}</button>`;
