/** The viewer's hand, sorted by use, and the available actions. */
import { html, nothing } from "lit";
import { isDetailBelow, renderDetail, renderWhyNot, cardGroup, cardName, renderSmallCard } from "./cards.js";
import { renderBuyButton } from "./counter.js";
import { renderStone } from "./gems.js";
import { whyNotBuy, whyNotUse } from "./why-not.js";
import { PIECE_BY_CARD } from "./position.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

const CROWDED_HAND_SIZE = 15; // with more kinds of cards than this, they are drawn smaller
const CARD_GROUPS = ["gem", "sale", "influence", "special"];
/** Cards whose verb is not the card's name. @type {Record<string, string>} */
const VERB_BY_CARD = { musketeer: "musketeers" };

/** @param {Position} p */
export function renderMyCards(p) {
  const { ui } = p;
  const hand = p.hand;
  if (p.me === null)
    return isDetailBelow() && ui.local.detail ? html`<div class="acts">${renderTouchedCard(p)}</div>` : nothing;
  return html`<section class="my-cards ${p.phase} ${p.canAct ? "deciding" : ""}" aria-label=${ui.t("necklace-hand")}
      @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && ui.local.use && cancelUse(p)}>
    <div class="hand ${hand.length > CROWDED_HAND_SIZE ? "many" : ""}">${CARD_GROUPS.map((kind) =>
      renderPile(
        p,
        kind,
        hand.filter(([card]) => cardGroup(p, card) === kind),
      ),
    )}
      ${
        hand.length
          ? nothing
          : html`<p
            class="none">${ui.formatLabelled(ui.t("necklace-hand"), ui.t("necklace-hand-empty"))}</p>`
      }</div>
    <div class="acts">${renderTouchedCard(p)}${renderPurse(p)}${renderActions(p)}</div>
  </section>`;
}

/** @param {Position} p @param {string} kind @param {[string, number][]} cards */
function renderPile(p, kind, cards) {
  if (!cards.length) return nothing;
  const heading = p.ui.t(`necklace-hand-${kind}`);
  return html`<section class="pile ${kind}" aria-label=${heading}><h2>${heading}</h2><div>${cards.map(([card, n]) =>
    renderHandCard(p, card, n),
  )}</div></section>`;
}

/** @param {Position} p @param {string} card @param {number} n */
function renderHandCard(p, card, n) {
  const { ui } = p;
  const left = p.facts.tray?.left[p.names.indexOf(card)] ?? n;
  const act = cardAction(p, card);
  return renderSmallCard(p, card, Math.max(left, 1), {
    key: `hand-${card}`,
    act,
    on: ui.local.use === card,
    where: "hand",
    whyNot: act ? "" : whyNotUse(p, card),
    quiet: left === 0,
  });
}

/**
 * Return the action of a click on a card of the viewer's hand, or null.
 * @param {Position} p @param {string} card @returns {(() => void) | null}
 */
function cardAction(p, card) {
  const { ui } = p;
  const pick = () => ui.setLocal({ use: ui.local.use === card ? "" : card, target: null, detail: null });
  if (p.phase === "show") {
    const [move] = card === "banker" ? ui.legalMoves(p.layVerb("banker")) : ui.legalMoves(p.layVerb("lay"), { card });
    if (move) return () => ui.play(move);
    const places = card in PIECE_BY_CARD ? ui.legalMoves(p.layVerb(PIECE_BY_CARD[card])) : [];
    return places.length === 1 ? () => ui.play(places[0]) : places.length ? pick : null;
  }
  const [answer] = [
    ...ui.legalMoves("discard", { card }),
    ...(card === "musketeer" ? ui.legalMoves("cancel") : []),
    ...(card === "cardinal" ? ui.legalMoves("cardinal") : []),
    ...(card === "queen" ? ui.legalMoves("take") : []),
  ];
  if (answer) return () => ui.play(answer);
  return p.phase === "influence" && ui.legalMoves(VERB_BY_CARD[card] ?? card).length ? pick : null;
}

/** Render the text of the tapped card and the button that buys it, on a phone. @param {Position} p */
function renderTouchedCard(p) {
  const [where, ...name] = (p.ui.local.detail ?? "").split("-");
  const slot = Number(name[0]);
  const card = where === "slot" ? p.offers[slot].card : name.at(-1);
  const whyNotTouched =
    where === "slot" ? whyNotBuy(p, p.offers[slot]) : where === "hand" ? whyNotUse(p, card ?? "") : "";
  return card && isDetailBelow()
    ? html`${renderDetail(p, card, renderWhyNot(whyNotTouched))}${
        where === "slot" ? renderBuyButton(p, slot) : nothing
      }`
    : nothing;
}

/** Render the money of this turn. @param {Position} p */
function renderPurse(p) {
  const { ui, state } = p;
  if (!p.facts.spending) return nothing;
  const text =
    state.active === p.me
      ? ui.t("necklace-ducats", { n: state.budget })
      : ui.t("necklace-budget-of", { name: ui.playerName(state.active), n: state.budget });
  return html`<p class="purse" data-key="purse"><span class="coin"
      aria-hidden="true">${state.budget}</span><span>${text}</span></p>`;
}

// --- actions
// ----------------------------------------------------------------------------------------------------------

/** @param {Position} p */
function renderActions(p) {
  const { ui } = p;
  if (p.phase === "show") return renderSaleActions(p);
  if (ui.local.use && p.phase === "influence") return renderUse(p, ui.local.use);
  const [end] = ui.legalMoves("end");
  const asked = ui.legalMoves("alchemist").length
    ? html`<p class="nk-hint">${ui.t(ui.local.use ? "necklace-alchemist-gem" : "necklace-alchemist-card")}</p>`
    : nothing;
  return html`${asked}${["take", "cardinal", "cancel", "show_hand"]
    .flatMap((verb) => ui.legalMoves(verb))
    .map((move) => renderButton(p, move, "button"))}
    ${["decline", "no_cardinal", "no_alchemist"]
      .flatMap((verb) => ui.legalMoves(verb))
      .map((move) => renderButton(p, move, "button quiet"))}
    ${ui.legalMoves("discard").map((move) => renderButton(p, move, "button"))}
    ${end ? renderButton(p, end, "button") : nothing}`;
}

/** @param {Position} p @param {Move} move @param {string} classes */
const renderButton = (p, move, classes) =>
  html`<button class=${classes} @click=${() => p.ui.play(move)}>${p.ui.moveText(move)}</button>`;

/** @param {Position} p */
const cancelUse = ({ ui }) => ui.setLocal({ use: "", target: null });

/** Render the choice of a target and a gem for the selected influence card. @param {Position} p @param {string} card */
function renderUse(p, card) {
  const { ui } = p;
  const moves = ui.legalMoves(VERB_BY_CARD[card] ?? card);
  const targets = [...new Set(moves.flatMap(({ args }) => args.target ?? []))];
  const target = ui.local.target ?? (targets.length === 1 ? targets[0] : null);
  const open = moves.filter(({ args }) => args.target === undefined || args.target === target);
  const question = !open.length ? ui.t("necklace-whom") : open[0].args.gem ? ui.t("necklace-which-gem") : "";
  return html`<p class="nk-hint"><b>${ui.t("necklace-chosen", { card })}</b>${question ? ` – ${question}` : ""}</p>
    <div class="choose">
      ${
        open.length
          ? open.map((move) => (move.args.gem ? renderGemButton(p, move) : renderButton(p, move, "button")))
          : targets.map((seat) => renderPlayerButton(p, moves, seat))
      }
      <button class="button quiet" @click=${() => cancelUse(p)}>${ui.t("cancel")}</button>
    </div>`;
}

/** @param {Position} p @param {Move} move */
const renderGemButton = (
  p,
  move,
) => html`<button class="pick" @click=${() => p.ui.play(move)} title=${p.ui.moveText(move)}>
  ${renderStone(move.args.gem)}<span>${p.ui.t(`necklace-gem-${move.args.gem}`)}</span></button>`;

/** @param {Position} p @param {Move[]} moves @param {number} seat */
function renderPlayerButton(p, moves, seat) {
  const { ui } = p;
  const these = moves.filter(({ args }) => args.target === seat);
  return html`<button class="pick"
    @click=${() => (these.length === 1 ? ui.play(these[0]) : ui.setLocal({ target: seat }))}>
    ${ui.renderShield(seat, "tiny")}<span>${ui.playerName(seat)}</span></button>`;
}

/** Return the names of the players who have not decided yet. @param {Position} p */
const waitingText = ({ ui, view }) => ui.t("necklace-waiting-others", { names: ui.playerNames(view.pending) });

const OPEN_VERBS = ["lay_open", "ring_open", "king_open", "necklace_open", "banker_open"];

/**
 * Render whether the next card is laid face down or openly. The choice is reset after each card, because an open card
 * cannot be taken back.
 * @param {Position} p
 */
function renderMannerChoice(p) {
  const { ui } = p;
  const open = Boolean(ui.local.openly);
  if (!OPEN_VERBS.some((verb) => ui.legalMoves(verb).length)) return nothing;
  return html`<div class="manner" role="group" aria-label=${ui.t("necklace-manner")}>${[false, true].map(
    (openly) =>
      html`<button class="button quiet small" data-key="manner-${open}-${openly}"
        aria-pressed=${openly === open} @click=${() =>
          ui.setLocal({
            openly,
            use: "",
          })}>${ui.t(openly ? "necklace-manner-open" : "necklace-manner-covered")}</button>`,
  )}</div>
  ${open ? html`<p class="nk-hint">${ui.t("necklace-manner-help")}</p>` : nothing}`;
}

/** Render the actions of a sale: take cards back, and commit. @param {Position} p */
function renderSaleActions(p) {
  const { ui } = p;
  const [commit] = ui.legalMoves("commit");
  const [clear] = ui.legalMoves("clear");
  const isEmpty = !p.laidCount;
  if (!p.canAct) return html`<p class="nk-hint">${waitingText(p)}</p>`;
  if (commit && isEmpty && ui.local.nothing) return renderShowNothing(p, commit);
  const possible = isEmpty && ui.legalMoves("lay").length > 0;
  return html`${renderMannerChoice(p)}${
    ui.local.use
      ? html`<p class="nk-hint"><b>${cardName(p, ui.local.use)}</b> – ${ui.t("necklace-lay-with")}</p>`
      : nothing
  }
    ${
      commit
        ? html`<button class=${possible ? "button quiet" : "button"}
            @click=${() => (possible ? ui.setLocal({ nothing: true }) : ui.play(commit))}>${ui.moveText(
              commit,
            )}</button>`
        : nothing
    }
    ${clear ? renderButton(p, clear, "button quiet") : nothing}`;
}

/** Ask for confirmation if the player could show cards but shows none. @param {Position} p @param {Move} commit */
const renderShowNothing = ({ ui }, commit) => html`<p class="nk-hint"><b>${ui.t("necklace-show-nothing-sure")}</b></p>
  <button class="button" @click=${() => ui.play(commit)}>${ui.moveText(commit)}</button>
  <button class="button quiet" @click=${() => ui.setLocal({ nothing: false })}>${ui.t(
    "necklace-show-nothing-back",
  )}</button>`;
