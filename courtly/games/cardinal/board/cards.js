/** The cards beside the map: open cards, deck and hand, and what can be done with the cards that are chosen. */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { camera } from "./chart.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function cards(p) {
  const { ui, s } = p;
  return html`<aside class="cards" aria-label=${ui.t("cardinal-cards")}>
    ${sign(p)}
    <section class="market"><h2>${ui.t("cardinal-open")}</h2>
      ${p.open.map((type, i) => openCard(p, type, i))}${deck(p)}
      <p class="discards" title=${ui.t("cardinal-discards-help")}>${ui.t("cardinal-discards")} ${p.types.map(
        (type, i) =>
          html`<span class="pip hue-${i} ${s.discards[i] ? "" : "zero"}" title=${p.typeName(type)}>${unseen(
            `${p.typeName(type)} `,
          )}${s.discards[i]}</span>`,
      )}</p>
    </section>
    ${ui.me === null ? nothing : hand(p)}
  </aside>`;
}

/** A scoring is due when the turn next comes to the start player. @param {Position} p */
function sign(p) {
  const { ui, s } = p;
  if (!p.due) return nothing;
  return html`<p class="due" role="status">${ui.t(`cardinal-due-${p.due}`, { name: ui.name(s.start) })}</p>`;
}

/** @param {Position} p @param {string} type */
function face(p, type) {
  return html`<span class="band" aria-hidden="true"></span><b>${p.typeName(type)}</b><span class="lands">${p
    .countriesOf(type)
    .map((id) => html`<span>${p.countryName(id)}</span>`)}</span>`;
}

/** @param {Position} p @param {string} type @param {number} i */
function openCard(p, type, i) {
  if (!type) return html`<div class="card empty" data-key="open-${i}">${p.ui.t("cardinal-no-card")}</div>`;
  const moves = p.ui.can("take", { card: type });
  return html`<button class="card hue-${p.types.indexOf(type)} ${moves.length ? "open" : ""}" data-key="open-${i}"
      aria-disabled=${!moves.length}
    @click=${() => p.ui.play(...moves)}>${face(p, type)}${unseen(moves.length ? p.ui.order(moves[0]) : "")}</button>`;
}

/** @param {Position} p */
function deck(p) {
  const { ui, s } = p;
  const moves = ui.can("draw");
  return html`<button class="card deck ${moves.length ? "open" : ""} ${s.deck_left ? "" : "empty"}" data-key="deck"
      aria-disabled=${!moves.length} @click=${() => ui.play(...moves)}>
    <b>${ui.t("cardinal-deck")}</b><span class="count">${s.deck_left}</span>${unseen(
      moves.length ? ui.order(moves[0]) : "",
    )}</button>`;
}

/** @param {Position} p */
function hand(p) {
  const { ui } = p;
  const seen = /** @type {Record<string, number>} */ ({});
  return html`<section class="hand"><h2>${ui.t("cardinal-hand")}</h2>
    <div class="held">${p.hand.map((type, i) => {
      seen[type] = (seen[type] ?? 0) + 1;
      return handCard(p, type, i, `hand-${type}-${seen[type] - 1}`);
    })}</div>${acts(p)}</section>`;
}

/** @param {Position} p @param {string} type @param {number} i @param {string} key */
function handCard(p, type, i, key) {
  const { ui } = p;
  const chosen = p.picked.includes(i);
  const can = p.phase === "choosing" && p.mine && ui.free;
  const next = chosen ? p.picked.filter((other) => other !== i) : [...p.picked, i];
  const useless = can && !chosen && p.picked.length > 0 && !plays(p, next);
  return html`<button
      class="card hue-${p.types.indexOf(type)} ${chosen ? "chosen" : ""} ${can ? "open" : ""} ${
        useless ? "useless" : ""
      }" data-key=${key} aria-pressed=${chosen} aria-disabled=${!can}
    title=${useless ? ui.t("cardinal-useless") : ""} @click=${() => {
      if (can) pick(p, next);
    }}>${face(p, type)}</button>`;
}

/**
 * Chooses these cards; if nothing that they open is in sight, the map steps back to show it.
 * @param {Position} p @param {number[]} picked
 */
function pick(p, picked) {
  p.ui.set({ picked, discarding: false });
  camera(p).showAny([
    ...p.placements("cloister").map(({ args }) => p.site(args.site)),
    ...p.placements("cardinal").map(({ args }) => p.country(args.country).seal),
  ]);
}

/** Could these cards be played? @param {Position} p @param {number[]} picked */
function plays(p, picked) {
  const set = p.cards(picked);
  return set !== null && (p.ui.can("cloister", set).length > 0 || p.ui.can("cardinal", set).length > 0);
}

/** @param {Position} p */
function acts(p) {
  const { ui } = p;
  if (!p.mine) return nothing;
  const done = ui.can("done")[0];
  const discard = p.discarding;
  if (ui.local.discarding && discard) {
    return html`<div class="acts ask" role="group"
        aria-label=${ui.t("cardinal-discard-ask", { n: p.picked.length })}><p>${ui.t("cardinal-discard-ask", {
          n: p.picked.length,
        })}</p>
      <button class="button danger" @click=${() => ui.play(discard)}>${ui.t("cardinal-discard-yes")}</button>
      <button class="button quiet"
          @click=${() => ui.set({ discarding: false })}>${ui.t("cardinal-discard-no")}</button></div>`;
  }
  return html`<div class="acts"><p class="what">${what(p)}</p>
    ${done ? html`<button class="button" @click=${() => ui.play(done)}>${ui.order(done)}</button>` : nothing}
    ${
      p.phase === "choosing"
        ? html`<button class="button quiet discard" ?disabled=${!p.picked.length || !discard}
          @click=${() => ui.set({ discarding: true })}>${ui.t("cardinal-discard")}</button>`
        : nothing
    }</div>`;
}

/**
 * Where a pair would place no more than a single card of the hand: a word about it.
 * @param {Position} p @param {import("./position.js").Cards} set
 */
function dear(p, { pair }) {
  const { ui } = p;
  const lands = p.facts.dear[p.types.indexOf(pair)].map((/** @type {number} */ i) => p.countryName(p.countryNames[i]));
  return lands.length ? [ui.t("cardinal-what-dear", { lands: ui.choices(lands) })] : [];
}

/** What the chosen cards can do, in words. @param {Position} p */
function what(p) {
  const { ui } = p;
  if (p.phase === "placing")
    return ui.t("cardinal-what-second", { country_name: p.countryName(p.countryNames[p.s.country]) });
  if (p.phase !== "choosing") return ui.t("cardinal-what-refill", { n: p.s.to_draw });
  if (!p.picked.length) return ui.t("cardinal-what-choose");
  const set = p.cards(p.picked);
  if (!set)
    return ui.t(p.picked.length > 2 ? "cardinal-what-three" : "cardinal-what-differ", {
      discard: p.discarding ? 1 : 0,
    });
  if (!plays(p, p.picked)) return ui.t("cardinal-what-nowhere");
  const name = (/** @type {string} */ type) => p.typeName(type);
  const lands = (/** @type {string} */ type) => ui.choices(p.countriesOf(type).map((id) => p.countryName(id)));
  if (set.pair === "none") return ui.t("cardinal-what-one", { colour: name(set.single), lands: lands(set.single) });
  if (set.single === "none")
    return ui.sentences([
      ui.t("cardinal-what-pair", { colour: name(set.pair), lands: lands(set.pair), own: p.s.joker_own_colour }),
      ...dear(p, set),
    ]);
  return ui.t("cardinal-what-joker", { colour: name(set.single), lands: lands(set.single) });
}
