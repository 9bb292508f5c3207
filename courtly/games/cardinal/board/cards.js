/** The cards beside the map: open cards, deck and hand, and the actions for the selected cards. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { getPanZoom } from "./chart.js";
import { explainDiscard, explainHandCard, explainSource } from "./why-not.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function renderCards(p) {
  const { ui, state } = p;
  return html`<aside class="cards" aria-label=${ui.t("cardinal-cards")}>
    ${renderDueScoring(p)}
    <section class="market"><h2>${ui.t("cardinal-open")}</h2>
      ${p.openCards.map((type, i) => renderOpenCard(p, type, i))}${renderDeck(p)}
      <p class="discards" title=${ui.t("cardinal-discards-help")}>${ui.t("cardinal-discards")} ${p.types.map(
        (type, i) =>
          html`<span class="pip hue-${i} ${state.discards[i] ? "" : "zero"}" title=${p.typeName(type)}>${hideVisually(
            `${p.typeName(type)} `,
          )}${state.discards[i]}</span>`,
      )}</p>
    </section>
    ${ui.me === null ? nothing : renderHand(p)}
  </aside>`;
}

/** Render a notice if a scoring takes place at the start player's next turn. @param {Position} p */
function renderDueScoring(p) {
  const { ui, state } = p;
  if (!p.dueScoring) return nothing;
  return html`<p class="due"
    role="status">${ui.t(`cardinal-due-${p.dueScoring}`, { name: ui.playerName(state.start) })}</p>`;
}

/** The colours of cards with a landscape in art/. Another board may have others. */
const LANDSCAPES = ["red", "green", "yellow", "orange", "purple"];

/**
 * Render the landscape of a card's countries. Those in art/ are drawn by one hand: 160 x 64, outlines of 1.4 in ink
 * (#3b2a1c) with round ends, flat colours, light from the left (a darker right side, no gradients), a warm sky, one
 * building on the right, and the card's colour in the largest field; the left third is calm, for it fades out.
 * @param {string} type
 */
const renderLandscape = (type) =>
  LANDSCAPES.includes(type)
    ? html`<img class="landscape" alt="" loading="lazy" src=${new URL(`./art/${type}.svg`, import.meta.url).href}>`
    : nothing;

/** @param {Position} p @param {string} type */
function renderCardFace(p, type) {
  const countries = p.countriesOf(type).map((id) => html`<span>${p.countryName(id)}</span>`);
  return html`<span class="band" aria-hidden="true"></span>${renderLandscape(type)}<b>${p.typeName(type)}</b>
    <span class="lands">${countries}</span>`;
}

/** @param {Position} p @param {string} type @param {number} i */
function renderOpenCard(p, type, i) {
  if (!type) return html`<div class="card empty" data-key="open-${i}">${p.ui.t("cardinal-no-card")}</div>`;
  const moves = p.ui.legalMoves("take", { card: type });
  const why = explainSource(p, false);
  return html`<button class="card hue-${p.types.indexOf(type)} ${moves.length ? "open" : ""}" data-key="open-${i}"
      aria-disabled=${!moves.length} title=${why}
    @click=${() => (moves.length ? p.ui.play(...moves) : showWhyNot(p, why))}>${renderCardFace(p, type)}${hideVisually(
      moves.length ? p.ui.moveText(moves[0]) : "",
    )}</button>`;
}

/** @param {Position} p */
function renderDeck(p) {
  const { ui, state } = p;
  const moves = ui.legalMoves("draw");
  const why = explainSource(p, !moves.length);
  return html`<button class="card deck ${moves.length ? "open" : ""} ${state.deck_left ? "" : "empty"}" data-key="deck"
      aria-disabled=${!moves.length} title=${why}
      @click=${() => (moves.length ? ui.play(...moves) : showWhyNot(p, why))}>
    <b>${ui.t("cardinal-deck")}</b><span class="count">${state.deck_left}</span>${hideVisually(
      moves.length ? ui.moveText(moves[0]) : "",
    )}</button>`;
}

/** @param {Position} p */
function renderHand(p) {
  const { ui } = p;
  const seen = /** @type {Record<string, number>} */ ({});
  return html`<section class="hand"><h2>${ui.t("cardinal-hand")}</h2>
    <div class="held">${p.hand.map((type, i) => {
      seen[type] = (seen[type] ?? 0) + 1;
      return renderHandCard(p, type, i, `hand-${type}-${seen[type] - 1}`);
    })}</div>${renderActions(p)}</section>`;
}

/** @param {Position} p @param {string} type @param {number} i @param {string} key */
function renderHandCard(p, type, i, key) {
  const { ui } = p;
  const chosen = p.selected.includes(i);
  const can = p.phase === "choosing" && p.canAct && ui.canPlay;
  const next = chosen ? p.selected.filter((other) => other !== i) : [...p.selected, i];
  const useless = can && !chosen && p.selected.length > 0 && !arePlayable(p, next);
  return html`<button
      class="card hue-${p.types.indexOf(type)} ${chosen ? "chosen" : ""} ${can ? "open" : ""} ${
        useless ? "useless" : ""
      }" data-key=${key} aria-pressed=${chosen} aria-disabled=${!can}
    title=${useless ? ui.t("cardinal-useless") : explainHandCard(p)} @click=${() =>
      can ? selectCards(p, next) : showWhyNot(p, explainHandCard(p))}>${renderCardFace(p, type)}</button>`;
}

/**
 * Select these cards. If no place that they allow is visible, show the whole map.
 * @param {Position} p @param {number[]} picked
 */
function selectCards(p, picked) {
  p.ui.setLocal({ picked, discarding: false, offer: null, detail: null, why: "" });
  getPanZoom(p).revealAny([
    ...p.placements("cloister").map(({ args }) => p.site(args.site)),
    ...p.placements("cardinal").map(({ args }) => p.country(args.country).seal),
  ]);
}

/** Return whether these cards can be played. @param {Position} p @param {number[]} picked */
function arePlayable(p, picked) {
  const set = p.findSet(picked);
  return set !== null && (p.ui.legalMoves("cloister", set).length > 0 || p.ui.legalMoves("cardinal", set).length > 0);
}

/** @param {Position} p */
function renderActions(p) {
  const { ui } = p;
  if (!p.canAct) return nothing;
  const done = ui.legalMoves("done")[0];
  const discard = p.discardMove;
  const whyKept = explainDiscard(p);
  const askToDiscard = () => (whyKept ? showWhyNot(p, whyKept) : ui.setLocal({ discarding: true, why: "" }));
  if (ui.local.discarding && discard) {
    return html`<div class="acts ask" role="group"
        aria-label=${ui.t("cardinal-discard-ask", { n: p.selected.length })}><p>${ui.t("cardinal-discard-ask", {
          n: p.selected.length,
        })}</p>
      <button class="button danger" @click=${() => ui.play(discard)}>${ui.t("cardinal-discard-yes")}</button>
      <button class="button quiet"
          @click=${() => ui.setLocal({ discarding: false })}>${ui.t("cardinal-discard-no")}</button></div>`;
  }
  return html`<div class="acts"><p class="what" role="status">${ui.local.why || explainSelection(p)}</p>
    ${done ? html`<button class="button" @click=${() => ui.play(done)}>${ui.moveText(done)}</button>` : nothing}
    ${
      p.phase === "choosing"
        ? html`<button class="button quiet discard" aria-disabled=${Boolean(whyKept)} title=${whyKept}
          @click=${askToDiscard}>${ui.t("cardinal-discard")}</button>`
        : nothing
    }</div>`;
}

/** Show below the hand why something cannot be done, until the next choice. @param {Position} p @param {string} why */
function showWhyNot(p, why) {
  if (why) p.ui.setLocal({ why });
}

/**
 * Explain where a pair would place no more than a single card of the hand would.
 * @param {Position} p @param {import("./position.js").CardSet} set
 */
function explainCostlyPair(p, { pair }) {
  const { ui } = p;
  const lands = (p.facts.dear[pair] ?? []).map((/** @type {number} */ i) => p.countryName(p.countryNames[i]));
  return lands.length ? [ui.t("cardinal-what-dear", { lands: ui.formatAlternatives(lands) })] : [];
}

/** Explain what the selected cards can do. @param {Position} p */
function explainSelection(p) {
  const { ui } = p;
  if (p.phase === "placing")
    return ui.t("cardinal-what-second", { country_name: p.countryName(p.countryNames[p.state.country]) });
  if (p.phase !== "choosing") return ui.t("cardinal-what-refill", { n: p.state.to_draw });
  if (!p.selected.length) return ui.t("cardinal-what-choose");
  const set = p.findSet(p.selected);
  if (!set)
    return ui.t(p.selected.length > 2 ? "cardinal-what-three" : "cardinal-what-differ", {
      discard: p.discardMove ? 1 : 0,
    });
  if (!arePlayable(p, p.selected)) return ui.t("cardinal-what-nowhere");
  const name = (/** @type {string} */ type) => p.typeName(type);
  const lands = (/** @type {string} */ type) =>
    ui.formatAlternatives(p.countriesOf(type).map((id) => p.countryName(id)));
  if (set.pair === "none") return ui.t("cardinal-what-one", { colour: name(set.single), lands: lands(set.single) });
  if (set.single === "none")
    return ui.joinSentences([
      ui.t("cardinal-what-pair", { colour: name(set.pair), lands: lands(set.pair), own: p.state.joker_own_colour }),
      ...explainCostlyPair(p, set),
    ]);
  return ui.t("cardinal-what-joker", { colour: name(set.single), lands: lands(set.single) });
}
