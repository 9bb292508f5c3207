/** The backdrop with the event and the course of the round, and the row of buildings for sale. */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { goods, icon } from "./figures.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function backdrop(p) {
  const { ui, s, newest, older } = p;
  return html`<section class="backdrop ${newest ?? "none"}" aria-label=${ui.t("puppet-event-now")}>
    <div class="course"><b>${
      s.round_limit
        ? ui.t("puppet-round-of", { n: s.round, limit: s.round_limit })
        : ui.t("puppet-round", { n: s.round })
    }</b>
      <ol>${p.facts.parts.map(
        (/** @type {string} */ part) =>
          html`<li class=${part === p.part && !p.over ? "current" : ""}
              aria-current=${part === p.part && !p.over ? "step" : "false"}>${ui.t(`puppet-part-${part}`)}</li>`,
      )}</ol>
      <small>${ui.t("puppet-goal", { n: p.goal })}</small></div>
    <div class="scene" data-key="event">${
      newest
        ? html`${icon(newest)}<div><small>${ui.t("puppet-event-now")}</small><h2>${ui.t(`puppet-event-${newest}`)}</h2>
          <p>${eventText(p, newest)}</p></div>`
        : html`<p class="quiet">${ui.t("puppet-event-none")}</p>`
    }</div>
    <div class="events"><div><small>${ui.t("puppet-event-pile")}</small><ul data-key="event-pile">${p.eventPile.map(
      ({ event, place }) => html`<li>
        ${eventButton(p, event, place, place === null ? "" : seenAt(p, place))}</li>`,
    )}</ul></div>
      ${
        older
          ? html`<div><small>${ui.t("puppet-event-older")}</small><ul><li>${eventButton(
              p,
              older,
              null,
              ui.t("puppet-event-past"),
            )}</li></ul></div>`
          : nothing
      }
      ${
        p.history.length
          ? html`<div class="past"><small>${ui.t("puppet-event-history")}</small><ul>${p.history.map((event) => {
              const name = ui.t(`puppet-event-${event}`);
              return html`<li title=${name}>${icon(event)}${unseen(name)}</li>`;
            })}</ul></div>`
          : nothing
      }</div>
  </section>`;
}

/** @param {Position} p @param {string} event */
export const eventText = (p, event) =>
  p.ui.t(`puppet-event-${event}.does`, { n: p.number("events", event), doubles: p.s.grimoire_doubles });

/** @param {Position} p @param {number} place */
export const seenAt = (p, place) =>
  place ? p.ui.t("puppet-event-place", { n: place + 1 }) : p.ui.t("puppet-event-top");

/**
 * @param {Position} p @param {string} event
 * @param {number | null} place where it lies in the pile, if the viewer has seen that @param {string} note
 */
function eventButton(p, event, place, note) {
  const { ui } = p;
  return html`<button class="about event ${place === null ? "" : "seen"}" aria-disabled="true">${unseen(
    ui.t(`puppet-event-${event}`),
  )}${icon(event)}${place === null ? nothing : html`<b aria-hidden="true">${place + 1}</b>`}
    <span class="detail" role="tooltip"><b>${ui.t(`puppet-event-${event}`)}</b>${eventText(p, event)}${
      note ? html`<em>${note}</em>` : nothing
    }
      ${provenance(p)}</span></button>`;
}

// --- buildings -------------------------------------------------------------------------------------------------------

/** @param {Position} p */
export function row(p) {
  const { ui } = p;
  const discarded = p.discarded;
  return html`<section class="row" aria-label=${ui.t("puppet-row")}>
    <h2>${ui.t("puppet-row")}<small>${ui.t("puppet-row-pile", { n: p.pile.length })}</small>
      <small title=${discarded.length ? p.names("building", discarded) : ""}>${ui.t("puppet-row-discard", {
        n: discarded.length,
      })}</small></h2>
    <ul>${p.row.map(
      (building, i) =>
        html`<li>${
          building
            ? card(p, building)
            : html`<span class="building empty" data-key="place-${i}">${ui.t("puppet-place-empty")}</span>`
        }</li>`,
    )}</ul></section>`;
}

/** @param {Position} p @param {string} building */
function card(p, building) {
  const { ui } = p;
  const { cost, tax, points, category } = p.cards.buildings[building];
  const [buy] = ui.can("buy", { building });
  const lacks = p.missing(building);
  const lack = Object.fromEntries(lacks);
  const state =
    p.me === null ? "" : lacks.length ? ui.t("puppet-missing", { goods: p.words(lacks) }) : ui.t("puppet-affordable");
  return html`<button class="building about ${category} ${buy ? "buyable" : ""} ${
    p.me === null || lacks.length ? "" : "within"
  }" data-key="building-${building}" aria-disabled=${!buy} @click=${() => buy && ui.play(buy)}>
    ${icon(building)}<span class="name">${unseen(buy ? ui.order(buy) : "")}${ui.t(`puppet-building-${building}`)}</span>
    <b class="points" aria-hidden="true">${points}</b>${unseen(ui.t("puppet-worth", { n: points }))}
    <span class="cost">${goods(p, p.amounts(cost), (good) =>
      lack[good] ? html`<i>${ui.signed(-lack[good])}</i>` : nothing,
    )}</span>
    <span class="under"><span class="tax">${taxText(p, tax)}</span>${effectShort(p, building)}</span>
    <span class="state ${lacks.length ? "" : "can"}">${state}</span>${buildingDetail(p, building)}</button>`;
}

/** @param {Position} p @param {Record<string, number>} tax */
const taxText = (p, tax) =>
  p.amounts(tax).length ? html`${p.ui.t("puppet-tax")} ${goods(p, p.amounts(tax))}` : p.ui.t("puppet-untaxed-now");

/** What a building does, in a few words. @param {Position} p @param {string} building */
function effectShort(p, building) {
  const { effect } = p.cards.buildings[building];
  if (!effect) return nothing;
  if (effect.untaxed) return html`<em>${p.ui.t("puppet-short-untaxed")}</em>`;
  return html`<em>${cause(p, effect.on)} + ${goods(p, p.amounts(effect.gain))}</em>`;
}

/** @param {Position} p @param {string} on a servant or an event */
const cause = (p, on) => p.ui.t(p.servants.includes(on) ? `puppet-servant-${on}` : `puppet-event-${on}`);

/** What a building does, in a sentence. @param {Position} p @param {string} building @returns {string} */
export function effectText(p, building) {
  const { effect } = p.cards.buildings[building];
  if (!effect) return p.ui.t("puppet-effect-none");
  if (effect.untaxed) return p.ui.t("puppet-effect-untaxed");
  const [[good, n]] = p.amounts(effect.gain);
  return p.ui.t("puppet-effect-helps", { cause: cause(p, effect.on), n, good });
}

/** @param {Position} p @param {string} building */
export function buildingDetail(p, building) {
  const { ui } = p;
  const { cost, tax, points, category } = p.cards.buildings[building];
  return html`<span class="detail" role="tooltip"><b>${ui.t(`puppet-building-${building}`)}<small>${ui.t(
    `puppet-category-${category}`,
  )}</small></b>
    ${effectText(p, building)}
    <span class="facts"><span>${ui.t("puppet-worth", {
      n: points,
    })}</span><span>${ui.labelled(ui.t("puppet-cost"), p.words(p.amounts(cost)))}</span>
      <span>${ui.labelled(ui.t("puppet-tax"), p.words(p.amounts(tax)) || ui.t("puppet-tax-none"))}</span></span>
    ${provenance(p)}</span>`;
}

/** Where the numbers of the cards come from, if they are not those that the rules tell of. @param {Position} p */
export const provenance = (p) =>
  p.facts.cards === "ours" ? nothing : html`<em>${p.ui.t(`puppet-${p.facts.cards}-cards`)}</em>`;
