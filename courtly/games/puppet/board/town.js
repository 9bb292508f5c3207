/** The backdrop with the event and the progress of the round, and the row of buildings for sale. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderBuildingArt } from "./building-art.js";
import { renderGoods, renderIcon } from "./figures.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function renderBackdrop(p) {
  const { ui, state, newestEvent, olderEvent } = p;
  return html`<section class="backdrop ${newestEvent ?? "none"}" aria-label=${ui.t("puppet-event-now")}>
    <div class="course"><b>${
      state.round_limit
        ? ui.t("puppet-round-of", { n: state.round, limit: state.round_limit })
        : ui.t("puppet-round", { n: state.round })
    }</b>
      <ol>${p.facts.parts.map(
        (/** @type {string} */ part) =>
          html`<li class=${part === p.roundPart && !p.over ? "current" : ""}
              aria-current=${part === p.roundPart && !p.over ? "step" : "false"}>${ui.t(`puppet-part-${part}`)}</li>`,
      )}</ol>
      <small>${ui.t("puppet-goal", { n: p.goal })}</small></div>
    <div class="scene" data-key="event">${
      newestEvent
        ? html`${renderIcon(newestEvent)}<div><small>${ui.t("puppet-event-now")}</small><h2>${ui.t(
            `puppet-event-${newestEvent}`,
          )}</h2>
          <p>${eventText(p, newestEvent)}</p></div>`
        : html`<p class="quiet">${ui.t("puppet-event-none")}</p>`
    }</div>
    <div class="events"><div><small>${ui.t("puppet-event-pile")}</small><ul data-key="event-pile">${p.eventPile.map(
      ({ event, place }) => html`<li>
        ${renderEventButton(p, event, place, place === null ? "" : placeText(p, place))}</li>`,
    )}</ul></div>
      ${
        olderEvent
          ? html`<div><small>${ui.t("puppet-event-older")}</small><ul><li>${renderEventButton(
              p,
              olderEvent,
              null,
              ui.t("puppet-event-past"),
            )}</li></ul></div>`
          : nothing
      }
      ${
        p.history.length
          ? html`<div class="past"><small>${ui.t("puppet-event-history")}</small><ul>${p.history.map((event) => {
              const name = ui.t(`puppet-event-${event}`);
              return html`<li title=${name}>${renderIcon(event)}${hideVisually(name)}</li>`;
            })}</ul></div>`
          : nothing
      }</div>
  </section>`;
}

/** @param {Position} p @param {string} event */
export const eventText = (p, event) =>
  p.ui.t(`puppet-event-${event}.does`, { n: p.effectNumber("events", event), doubles: p.state.grimoire_doubles });

/** @param {Position} p @param {number} place */
export const placeText = (p, place) =>
  place ? p.ui.t("puppet-event-place", { n: place + 1 }) : p.ui.t("puppet-event-top");

/**
 * @param {Position} p @param {string} event
 * @param {number | null} place its place in the pile, if the viewer has seen it @param {string} note
 */
function renderEventButton(p, event, place, note) {
  const { ui } = p;
  return html`<button class="about event ${place === null ? "" : "seen"}" aria-disabled="true">${hideVisually(
    ui.t(`puppet-event-${event}`),
  )}${renderIcon(event)}${place === null ? nothing : html`<b aria-hidden="true">${place + 1}</b>`}
    <span class="detail" role="tooltip"><b>${ui.t(`puppet-event-${event}`)}</b>${eventText(p, event)}${
      note ? html`<em>${note}</em>` : nothing
    }
      ${renderProvenance(p)}</span></button>`;
}

// --- buildings
// --------------------------------------------------------------------------------------------------------

/** @param {Position} p */
export function renderRow(p) {
  const { ui } = p;
  const discarded = p.discardedBuildings;
  return html`<section class="row" aria-label=${ui.t("puppet-row")}>
    <h2>${ui.t("puppet-row")}<small>${ui.t("puppet-row-pile", { n: p.pileBuildings.length })}</small>
      <small title=${discarded.length ? p.formatNames("building", discarded) : ""}>${ui.t("puppet-row-discard", {
        n: discarded.length,
      })}</small></h2>
    <ul>${p.rowBuildings.map(
      (building, i) =>
        html`<li>${
          building
            ? renderBuildingCard(p, building)
            : html`<span class="building empty" data-key="place-${i}">${ui.t("puppet-place-empty")}</span>`
        }</li>`,
    )}</ul></section>`;
}

/** @param {Position} p @param {string} building */
function renderBuildingCard(p, building) {
  const { ui } = p;
  const { cost, tax, points, category } = p.cards.buildings[building];
  const [buy] = ui.legalMoves("buy", { building });
  const lacks = p.missingGoods(building);
  const lack = Object.fromEntries(lacks);
  const state =
    p.me === null
      ? ""
      : lacks.length
        ? ui.t("puppet-missing", { goods: p.formatAmounts(lacks) })
        : ui.t(buy ? "puppet-affordable" : hasBought(p) ? "puppet-refusal-bought-already" : "puppet-payable");
  return html`<button class="building about ${category} ${buy ? "buyable" : ""} ${
    p.me === null || lacks.length ? "" : "within"
  }" data-key="building-${building}" aria-disabled=${!buy} @click=${() => buy && ui.play(buy)}>
    ${renderBuildingArt(p, building)}<span
      class="name">${hideVisually(buy ? ui.moveText(buy) : "")}${ui.t(`puppet-building-${building}`)}</span>
    <b class="points" aria-hidden="true">${points}</b>${hideVisually(ui.t("puppet-worth", { n: points }))}
    <span class="cost">${renderGoods(p, p.listAmounts(cost), (good) =>
      lack[good] ? html`<i>${ui.formatSigned(-lack[good])}</i>` : nothing,
    )}</span>
    <span class="under"><span class="tax">${renderTax(p, tax)}</span>${renderEffect(p, building)}</span>
    <span class="state ${lacks.length ? "" : "can"}">${state}</span>${renderBuildingDetail(
      p,
      building,
      buy ? [] : [whyNoneBought(p), lacks.length ? state : ""],
    )}</button>`;
}

/** Return why the viewer can buy no building at all now, or "". @param {Position} p */
function whyNoneBought(p) {
  const { ui, view, me, phase } = p;
  if (me === null || p.over) return "";
  if (!view.pending.includes(me)) return ui.t("puppet-refusal-not-your-turn");
  if (phase === "drafting") return ui.t("puppet-refusal-draft-first");
  if (phase === "revealing") return ui.t("puppet-refusal-reveal-first");
  if (phase !== "acting") return ui.t("puppet-refusal-not-now");
  return hasBought(p) ? ui.t("puppet-refusal-bought-already") : "";
}

/** Return whether the viewer is at turn and has bought a building. @param {Position} p */
const hasBought = ({ state, me, phase }) => phase === "acting" && state.seat === me && Boolean(state.bought);

/** @param {Position} p @param {Record<string, number>} tax */
const renderTax = (p, tax) =>
  p.listAmounts(tax).length
    ? html`${p.ui.t("puppet-tax")} ${renderGoods(p, p.listAmounts(tax))}`
    : p.ui.t("puppet-untaxed-now");

/** Render a building's effect in a few words. @param {Position} p @param {string} building */
function renderEffect(p, building) {
  const { effect } = p.cards.buildings[building];
  if (!effect) return nothing;
  if (effect.untaxed) return html`<em>${p.ui.t("puppet-short-untaxed")}</em>`;
  return html`<em>${causeText(p, effect.on)} + ${renderGoods(p, p.listAmounts(effect.gain))}</em>`;
}

/** @param {Position} p @param {string} on a servant or an event */
const causeText = (p, on) => p.ui.t(p.servants.includes(on) ? `puppet-servant-${on}` : `puppet-event-${on}`);

/** Return a building's effect as a sentence. @param {Position} p @param {string} building @returns {string} */
export function effectText(p, building) {
  const { effect } = p.cards.buildings[building];
  if (!effect) return p.ui.t("puppet-effect-none");
  if (effect.untaxed) return p.ui.t("puppet-effect-untaxed");
  const [[good, n]] = p.listAmounts(effect.gain);
  return p.ui.t("puppet-effect-helps", { cause: causeText(p, effect.on), n, good });
}

/** @param {Position} p @param {string} building @param {string[]} [reasons] why it cannot be bought now */
export function renderBuildingDetail(p, building, reasons = []) {
  const { ui } = p;
  const { cost, tax, points, category } = p.cards.buildings[building];
  return html`<span class="detail" role="tooltip"><b>${ui.t(`puppet-building-${building}`)}<small>${ui.t(
    `puppet-category-${category}`,
  )}</small></b>
    ${effectText(p, building)}
    <span class="facts"><span>${ui.t("puppet-worth", {
      n: points,
    })}</span><span>${ui.formatLabelled(ui.t("puppet-cost"), p.formatAmounts(p.listAmounts(cost)))}</span>
      <span>${ui.formatLabelled(
        ui.t("puppet-tax"),
        p.formatAmounts(p.listAmounts(tax)) || ui.t("puppet-tax-none"),
      )}</span></span>
    ${reasons.filter(Boolean).map((reason) => html`<strong class="why-not">${reason}</strong>`)}
    ${renderProvenance(p)}</span>`;
}

/** Render the source of the cards' numbers, unless they are those of the rules. @param {Position} p */
export const renderProvenance = (p) =>
  p.facts.cards === "ours" ? nothing : html`<em>${p.ui.t(`puppet-${p.facts.cards}-cards`)}</em>`;
