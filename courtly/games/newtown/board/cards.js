/** Cards: land cards and residents on offer, and each player's holdings. */
import { html, nothing } from "lit";
import { renderGems, renderGem } from "./dice.js";
import { renderBlock } from "./pictures.js";
import { renderAbilitySign, renderGroundSign } from "./signs.js";
import { tooltipHandlers } from "../../../web/board-sdk/tooltips.js";
import { isSmallScreen } from "../../../web/core/user-settings.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";

/**
 * @typedef {import("./position.js").Position} Position
 * @typedef {import("../../../web/core/api-types.js").Move} Move
 */

/** Drawings of the grounds, and of each resident card's people, loaded when the first card is shown. */
const SCENES = new URL("./art/lands.svg", import.meta.url).href;
const PORTRAITS = new URL("./art/residents.svg", import.meta.url).href;

/** Render both rows of cards. @param {Position} p */
export function renderMarket(p) {
  const { ui, state } = p;
  return html`<section class="market ${p.isOriginal ? "original" : ""}" aria-label=${ui.t("newtown-market")}>
    <div class="row lands"><h2>${ui.t("newtown-land-cards")}
    <small>${ui.t("newtown-deck", { n: state.land_left })}</small></h2>
      <ul>${state.land_row.map(
        (/** @type {number} */ card, /** @type {number} */ i) =>
          html`<li>${
            card < 0
              ? html`<span class="card empty">${ui.t("newtown-empty")}</span>`
              : renderLandCard(p, card, `row-${i}`)
          }</li>`,
      )}</ul></div>
    <div class="row"><h2>${ui.t("newtown-residents")}
    <small>${ui.t("newtown-deck", { n: state.resident_left })}</small></h2>
      <ul>${state.resident_row.map(
        (/** @type {number} */ card) =>
          html`<li>${
            card < 0
              ? html`<span class="card empty">${ui.t("newtown-empty")}</span>`
              : renderResident(p, p.residents[card])
          }</li>`,
      )}</ul></div>
  </section>`;
}

/**
 * Return the text of a land card: its ability, its worth and, in a hand, whether it can be used.
 * @param {Position} p @param {number} card
 */
export function landCardText(p, card) {
  const { ui, state } = p;
  const owner = state.land_owner[card];
  const worth = p.landCardPoints(card);
  return ui.joinParts([
    ui.t(`newtown-card-${p.lands[card]}`),
    ui.t(`newtown-ability-${p.ground(card)}`),
    ...(owner >= 0 ? [ui.t(`newtown-card-${p.readiness(card)}`)] : []),
    ui.t("newtown-card-worth", { n: ui.formatSigned(worth) }),
  ]);
}

/**
 * Return the texts of a resident card: names, persons and points, the effect of a special card, where they live.
 * @param {Position} p @param {string} name
 * @returns {string[]}
 */
export function residentTexts(p, name) {
  const { ui, state } = p;
  const { persons, points, grounds, special } = p.box.residents[name];
  const home = state.home[p.residents.indexOf(name)];
  const lands = ui.formatList(grounds.map((/** @type {string} */ g) => ui.t(`newtown-ground-${g}`)));
  return [
    ui.t(`newtown-resident-${name}`),
    ui.t("newtown-resident-facts", { persons, points, grounds: lands }),
    special ? ui.t("newtown-special-help") : "",
    home >= 0
      ? ui.t("newtown-lives", { land: p.lands[home >> 1] })
      : isHomeless(p, name)
        ? ui.t("newtown-no-home")
        : "",
  ].filter(Boolean);
}

/** @param {Position} p @param {string} name */
const isHomeless = ({ facts, residents }, name) => facts.homeless.includes(residents.indexOf(name));

/** Render the land cards on offer, beside the die that takes one or the button that declines. @param {Position} p */
export const renderLandCardChoice = (p) => html`<ul class="choice" aria-label=${p.ui.t("newtown-choose-card")}>
  ${p.state.land_row
    .filter((/** @type {number} */ card) => card >= 0)
    .map((/** @type {number} */ card) => html`<li>${renderLandCard(p, card, "choice")}</li>`)}</ul>`;

/** Render the residents on offer beside the dice, near the thumb. @param {Position} p */
export const renderResidentChoice = (p) => html`<ul class="choice" aria-label=${p.ui.t("newtown-residents")}>
  ${p.state.resident_row
    .filter((/** @type {number} */ card) => card >= 0)
    .map(
      (/** @type {number} */ card) =>
        html`<li>${renderResident(p, p.residents[card], `choice-${p.residents[card]}`)}</li>`,
    )}</ul>`;

/** @param {Position} p @param {number} card @param {string} [where] */
function renderLandCard(p, card, where = "own") {
  const { ui } = p;
  const [take] = ui.legalMoves("take", { card: p.lands[card] });
  const ground = p.ground(card);
  const on = tooltipHandlers(ui, `card-${card}`);
  const wanted = take && (p.phase === "taking" || where === "choice");
  const state = where === "own" ? p.readiness(card) : "";
  const choose = () => ui.setLocal({ choosing: true, detail: `card-${card}` }); // beside the black die
  return html`<button class="card land ground-${ground} ${wanted ? "wanted" : take ? "takes" : ""} ${state}"
      data-key=${where === "choice" ? `choice-${card}` : `card-${p.lands[card]}`}
    @pointerenter=${on.enter} @pointerleave=${on.leave} @focus=${on.focus} @blur=${on.blur}
    @click=${wanted ? () => ui.play(take) : take ? choose : on.tap}>
    ${hideVisually(ui.joinParts([...(take ? [ui.moveText(take)] : []), landCardText(p, card)]))}
      <svg class="scene" viewBox="0 0 96 24" preserveAspectRatio="xMidYMax slice" aria-hidden="true"><use
        href="${SCENES}#${ground}"></use></svg><b class="number" aria-hidden="true">${p.lands[card]}</b>
    <span class="ability-place" aria-hidden="true">${renderAbilitySign(ground)}</span>
    <span class="ability" aria-hidden="true">${ui.t(`newtown-ability-short-${ground}`)}</span>
    <i class="worth" aria-hidden="true"><small>${ui.t("newtown-at-end")}</small> ${ui.formatSigned(
      p.landCardPoints(card),
    )}</i>
    ${
      state && state !== "ready"
        ? html`<em aria-hidden="true"><svg class="mark" viewBox="0 0 24 24"><path
          d=${CARD_STATE_PATHS[state]}></path></svg>
          <span>${ui.t(`newtown-card-${state}`)}</span></em>`
        : nothing
    }</button>`;
}

/** Icons for when there is no room for text: a tick and a clock. @type {Record<string, string>} */
const CARD_STATE_PATHS = { used: "M4 13l6 6L20 5", later: "M12 3a9 9 0 1 0 .1 0M12 7v5l4 3" };

/** @param {Position} p @param {string} name @param {string} [key] */
export function renderResident(p, name, key = `resident-${name}`) {
  const { ui } = p;
  const card = p.box.residents[name];
  const isElsewhere = isSmallScreen() && key === `resident-${name}`; // a phone has the choice beside the dice
  const [welcome] = [
    ...(isElsewhere ? [] : ui.legalMoves("welcome", { resident: name })),
    ...ui.legalMoves("inherit", { resident: name }),
  ];
  const on = tooltipHandlers(ui, `resident-${name}`);
  return html`<button class="card resident ${welcome ? "wanted" : ""} ${card.special ? "special" : ""} ${
    isHomeless(p, name) ? "homeless" : ""
  }"
    data-key=${key}
      @pointerenter=${on.enter} @pointerleave=${on.leave} @focus=${on.focus} @blur=${on.blur}
      @click=${welcome ? () => ui.play(welcome) : on.tap}>
    ${hideVisually(ui.joinParts([...(welcome ? [ui.moveText(welcome)] : []), ...residentTexts(p, name)]))}
      <b class="who" aria-hidden="true">${ui.t(`newtown-resident-${name}`)}</b>
    <svg class="portrait" viewBox="0 0 96 41" aria-hidden="true"><use href="${PORTRAITS}#${name}"></use></svg>
    <span class="lives" aria-hidden="true">${card.grounds.map(
      (/** @type {string} */ ground) => html`<i class="ground-${ground}">${renderGroundSign(ground)}</i>`,
    )}</span>
    ${card.special ? html`<i class="gift" aria-hidden="true">+⚄</i>` : nothing}
    <i class="worth" aria-hidden="true">${ui.t("newtown-points-short", { n: card.points })}</i></button>`;
}

/** Return "few" if there is room for the cards with their text; a phone always has room. @param {unknown[]} cards */
const fewClass = (cards) => (cards.length < 4 || isSmallScreen() ? "few" : "");

/** Render all holdings of a player. @param {Position} p @param {number} seat */
export function renderHoldings(p, seat) {
  const { ui, state } = p;
  const hand = p.hand(seat);
  const cards = p.landCards(seat);
  const guests = p.residentsOf(seat);
  return html`<section class="holdings tint-${seat}"
    aria-label=${ui.t("newtown-holdings", { name: ui.playerName(seat) })}>
    <div class="part blocks"><h2>${ui.t("newtown-blocks")}
    <small>${ui.t("newtown-cubes", { n: p.facts.cubes[seat] })}</small></h2>
      <div class="pile">${
        hand.length
          ? hand.map(
              (size, i) =>
                html`<span class="piece" data-key="block-${seat}-${size}-${
                  hand.slice(0, i).filter((n) => n === size).length
                }"
                  title=${ui.t("newtown-block", { n: size })}>${renderBlock(p, size)}<small>${size}</small></span>`,
            )
          : html`<span class="quiet">${ui.t("newtown-none")}</span>`
      }</div></div>
    <div class="part stock"><h2>${ui.t("newtown-gems")} ${state.gems[seat]}</h2>
      <div data-key="gems-${seat}">${renderGems(state.gems[seat])}</div>${renderRoofs(p, seat)}</div>
    <div class="part ${p.isOriginal ? "none" : ""}"><h2>${ui.t("newtown-land-cards")}</h2>
      <ul class="fan ${fewClass(cards)}">${
        cards.length
          ? cards.map((card) => html`<li>${renderLandCard(p, card)}</li>`)
          : html`<li class="quiet">${ui.t("newtown-none")}</li>`
      }</ul></div>
    <div class="part wide"><h2>${ui.t("newtown-residents")}</h2>
      <ul class="fan ${fewClass(guests)}">${
        guests.length
          ? guests.map((name) => html`<li>${renderResident(p, name)}</li>`)
          : html`<li class="quiet">${ui.t("newtown-none")}</li>`
      }</ul></div>
  </section>`;
}

/** Render the remaining roofs by footprint. @param {Position} p @param {number} seat */
function renderRoofs(p, seat) {
  const { ui, state } = p;
  return html`<ul class="roofs" aria-label=${ui.t("newtown-roofs")}>${p.footprints.map(
    (foot, i) => html`
    <li class=${state.roofs[seat][i] ? "" : "out"}
      title=${ui.t("newtown-roofs-left", { foot, n: state.roofs[seat][i] })}>
      <small>${foot}</small>${Array.from({ length: state.roofs[seat][i] }, () => html`<i class="f${i}"></i>`)}
      ${hideVisually(state.roofs[seat][i])}</li>`,
  )}</ul>`;
}

/** Render a player's summary for the list of players: score and holdings. @param {Position} p @param {number} n */
export function renderSummary(p, n) {
  const { ui, state } = p;
  const cards = p.landCards(n);
  const next = p.box.track.squares[state.passed[n]];
  return html`<span class="newtown-seat">
    <span class="line">${
      p.over
        ? nothing
        : html`<b data-key="points-${n}">${ui.t("newtown-points", { n: state.score[n] })}</b>${
            next
              ? html`<small class="next"
                title=${ui.t(`newtown-track-${p.trackReward(state.passed[n])}`, { at: next })}><span
                        aria-hidden="true">${ui.t("newtown-next-bonus", { at: next })}</span>${
                          p.trackReward(state.passed[n]) === "gem" ? renderGem() : html`<i class="mini-card"></i>`
                        }
                ${hideVisually(ui.t(`newtown-track-${p.trackReward(state.passed[n])}`, { at: next }))}</small>`
              : nothing
          }`
    }
      ${
        state.first === n && !p.over
          ? html`<span
        class="badge">${ui.t("newtown-start-player")}</span>`
          : nothing
      }</span>
    <span class="line"><span class="stock">${renderBlock(p, 4, "tiny")} <small>${ui.t("newtown-blocks")}</small>
      ${p.hand(n).join(" ") || "–"}
      ${hideVisually(ui.t("newtown-cubes", { n: p.facts.cubes[n] }))}</span>
      <span class="stock">${renderGem()} <small>${ui.t("newtown-gems")}</small> ${state.gems[n]}</span></span>
    <span class="line"><span>${ui.t("newtown-house-count", { n: state.owned[n] })}</span>${
      cards.length
        ? html`<span class="stock"><small>${ui.t("newtown-land-cards")}</small>
          <span class="lands">${cards.map(
            (card) => html`<i class="ground-${p.ground(card)} ${p.readiness(card)}">${p.lands[card]}</i>`,
          )}</span></span>`
        : nothing
    }</span></span>`;
}
