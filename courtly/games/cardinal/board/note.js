/** The tooltip of the target that is pointed at on the map. */
import { html, nothing } from "lit";
import { getPanZoom } from "./chart.js";
import { renderPayments } from "./offer.js";
import { explainTarget } from "./why-not.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function renderNote(p) {
  const { offer, detail } = p.ui.local;
  const isOffered = offer && p.payments(offer).length > 0;
  const about = isOffered ? offer : detail;
  const lines = about ? describeTarget(p, about) : [];
  const why = about && !isOffered ? explainTarget(p, about) : "";
  const close = () => !isOffered && p.ui.setLocal({ detail: null });
  return html`<div id="cardinal-note" class="words ${lines.length ? "" : "none"} ${isOffered ? "offer" : ""} ${
    lines.length && isInLowerHalf(p, about) ? "aloft" : ""
  }" @click=${close}>${lines.slice(0, 1).map((line) => html`<b>${line}</b>`)}${
    why ? html`<p class="why">${why}</p>` : nothing
  }${lines.slice(1).map((line) => html`<p>${line}</p>`)}${isOffered ? renderPayments(p, about) : nothing}</div>`;
}

/**
 * Return whether the target is in the lower half of the window, where the tooltip would cover it.
 * @param {Position} p @param {string} about
 */
function isInLowerHalf(p, about) {
  const [kind, id] = about.split("-");
  return (
    getPanZoom(p).toViewport(
      kind === "site" ? p.site(id) : kind === "seal" ? p.country(id).seal : p.alliance(Number(id)).label,
    ).y > 0.5
  );
}

/**
 * Return the lines of a target's tooltip, such as "site-FR5", "seal-FR" or "pact-14".
 * @param {Position} p @param {string} about @returns {string[]}
 */
export function describeTarget(p, about) {
  const [kind, id] = about.split("-");
  return kind === "site"
    ? describeSite(p, id)
    : kind === "seal"
      ? describeCountry(p, id)
      : describeAlliance(p, Number(id));
}

/** @param {Position} p @param {string} id */
function describeSite(p, id) {
  const { ui } = p;
  const owner = p.owner(id);
  const country = p.site(id).country;
  const label = ui.t(owner < 0 ? "cardinal-site-free" : "cardinal-site-taken", {
    place: p.siteName(id),
    country_name: p.countryName(country),
    owner: owner < 0 ? "" : ui.playerName(owner),
  });
  const chain = owner < 0 ? undefined : p.chains(owner).find((sites) => sites.includes(id));
  return [
    label,
    ui.t("cardinal-roads", {
      places: ui.formatList(p.neighbours(id).map((to) => p.siteName(to))),
    }),
    ...(chain ? [ui.t("cardinal-in-chain", { n: chain.length })] : []),
  ];
}

/** @param {Position} p @param {string} id */
function describeCountry(p, id) {
  const { ui } = p;
  const type = p.types[p.cardTypeIndex(id)];
  const list = (/** @type {number[]} */ row) =>
    ui.formatList(p.seats.filter((seat) => row[seat]).map((seat) => `${ui.playerName(seat)} ${row[seat]}`)) ||
    ui.t("cardinal-nobody");
  const points = p.state.country_points.map((/** @type {number[]} */ row) => row[p.countryIndex(id)]);
  const allies = p.alliances
    .filter(({ a, b }) => a === id || b === id)
    .map(({ number, a, b }) => ui.t("cardinal-ally", { number, country_name: p.countryName(a === id ? b : a) }));
  return [
    p.countryTitle(id),
    ui.t("cardinal-cards-for", { colour: p.typeName(type), free: p.state.free[p.countryIndex(id)] }),
    ui.t("cardinal-cloisters-here", { list: list(p.cloisters(id)) }),
    ui.t("cardinal-cardinals-here", { list: list(p.cardinals(id)) }),
    ...(p.top(id) ? [ui.t("cardinal-worth-now", { list: list(points) })] : [ui.t("cardinal-empty-country")]),
    ui.t("cardinal-allies", { list: ui.formatList(allies) }),
  ];
}

/** @param {Position} p @param {number} number */
function describeAlliance(p, number) {
  const { ui } = p;
  const pact = p.alliance(number);
  const { worth, leaders } = p.allianceValue(number);
  const led = (/** @type {string} */ id) =>
    ui.playerNames(p.seats.filter((seat) => p.isLeading(id, seat))) || ui.t("cardinal-nobody");
  return [
    ui.t("cardinal-pact", { number, a: p.countryName(pact.a), b: p.countryName(pact.b) }),
    ...[pact.a, pact.b].map((id) =>
      ui.t("cardinal-led-by", { country_name: p.countryName(id), n: p.standing(id), list: led(id) }),
    ),
    leaders.length
      ? ui.t("cardinal-pact-now", { n: worth, list: ui.playerNames(leaders) })
      : ui.t("cardinal-pact-none"),
  ];
}
