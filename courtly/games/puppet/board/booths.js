/** The players' booths: servants on their strings, goods, buildings, and the marks of Reaper and Imp. */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { acts, choosable } from "./acts.js";
import { chip, goods, icon, puppet, veiled } from "./figures.js";
import { buildingDetail, provenance } from "./town.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("./position.js").Mark} Mark */

/** @param {Position} p @param {number} seat */
export function booth(p, seat) {
  const { ui } = p;
  const possible = p.possible(seat);
  const asked = p.view.pending.includes(seat) && !p.over;
  const open = p.list(p.s.hand[seat]).length > 0;
  return html`<section class="booth tint-${seat} ${p.s.seat === seat ? "turn" : ""} ${asked ? "asked" : ""} ${
    open ? "laid-open" : ""
  }" aria-label=${ui.t("puppet-servants-of", { name: ui.name(seat) })}>
    ${heading(p, seat)}
    <div class="servants scenery">${open ? hand(p, seat) : servants(p, seat)}</div>
    <div class="estate">${holdings(p, seat)}${buildings(p, seat)}
      ${
        possible.length
          ? html`<p class="possible"><small>${ui.t("puppet-can-hold")}</small>${possible.map(
              (servant) =>
                html`<span class="mini" title=${ui.t(`puppet-servant-${servant}`)}>${icon(servant)}${unseen(
                  ui.t(`puppet-servant-${servant}`),
                )}</span>`,
            )}</p>`
          : nothing
      }
      ${marks(p, seat)}</div>
  </section>`;
}

/** The viewer's own part of the table. @param {Position} p @param {number} me */
export function own(p, me) {
  const { ui } = p;
  return html`<section class="booth own tint-${me} ${p.s.seat === me ? "turn" : ""}"
      aria-label=${ui.t("puppet-servants-yours")}>
    ${heading(p, me)}
    <div class="servants scenery">${p.list(p.s.hand[me]).length ? hand(p, me) : servants(p, me)}</div>
    ${acts(p)}
    <div class="estate">${holdings(p, me)}${buildings(p, me)}${memory(p, me)}${marks(p, me)}</div>
  </section>`;
}

/** @param {Position} p @param {number} seat */
function heading(p, seat) {
  const { ui, s } = p;
  return html`<header>${ui.shield(seat, "tiny")}<b>${ui.name(seat)}</b>
    ${
      s.parent === seat
        ? html`<span class="parent" data-key="parent"
          title=${ui.t("puppet-parent-detail")}>${icon("parent")}${ui.t("puppet-parent.short")}</span>`
        : nothing
    }
    <span class="track" role="img" aria-label=${ui.t("puppet-points", {
      n: s.points[seat],
      goal: p.goal,
    })}>${Array.from(
      { length: p.goal },
      (_, i) => html`<i class=${i < s.points[seat] ? (i < p.has(seat, "honour") ? "honour" : "built") : ""}></i>`,
    )}</span>
    <b class="points" data-key="points-${seat}" aria-hidden="true">${s.points[seat]}</b></header>`;
}

// --- servants --------------------------------------------------------------------------------------------------------

/**
 * What lies before a seat; while it chooses, what it turned up in the round before.
 * @param {Position} p @param {number} seat
 */
function servants(p, seat) {
  const lying = p.before(seat);
  const last = p.last(seat).slice(lying.length);
  const missing = 2 - lying.length - last.length;
  return html`${lying.map(({ key, servant, up, fate }) =>
    servant
      ? marionette(p, key, servant, up, fate)
      : html`<span class="marionette" data-key=${key}>${veiled()}<span
          class="plaque"><b>${p.ui.t("puppet-face-down")}</b></span></span>`,
  )}
    ${last.map(({ key, servant, fate }) => marionette(p, key, servant, true, fate, true))}
    ${Array.from(
      { length: missing },
      (_, i) => html`<span class="marionette none"
        data-key="none-${seat}-${i}">${veiled(true)}<span class="plaque"><b>–</b></span></span>`,
    )}`;
}

/** The viewer's, or anybody's when all lies open. @param {Position} p @param {number} seat */
const hand = (p, seat) =>
  html`${p.list(p.s.hand[seat]).map((servant) => marionette(p, `hand-${servant}`, servant, true, ""))}`;

/**
 * A servant with its name and what it does. Before the viewer it may be there to be chosen.
 * @param {Position} p @param {string} key @param {string} servant @param {boolean} up @param {string} fate
 * @param {boolean} [gone] of the round before
 */
function marionette(p, key, servant, up, fate, gone = false) {
  const { ui } = p;
  const { move, chosen } = choosable(p, servant, key);
  const name = ui.t(`puppet-servant-${servant}`);
  return html`<button
      class="marionette about ${up ? "up" : "down"} ${gone ? "gone" : ""} ${fate} ${move ? "usable" : ""} ${
        chosen ? "chosen" : ""
      }" data-key=${key} aria-pressed=${move ? String(chosen) : nothing} aria-disabled=${!move}
      @click=${() => move && ui.set({ servant: chosen ? null : servant })}>
    ${puppet(servant, fate)}<span class="plaque"><b>${name}</b><small>${
      gone
        ? ui.t("puppet-last-round")
        : fate
          ? ui.t(`puppet-${fate}`)
          : up || move
            ? doesText(p, servant)
            : ui.t("puppet-face-down")
    }</small></span>
    <span class="detail" role="tooltip"><b>${name}</b>${detailText(p, servant)}${provenance(p)}</span></button>`;
}

/** @param {Position} p @param {string} servant */
export const doesText = (p, servant) => p.ui.t(`puppet-servant-${servant}.does`, { n: p.number("servants", servant) });
/** @param {Position} p @param {string} servant */
export const detailText = (p, servant) =>
  p.ui.t(`puppet-servant-${servant}.detail`, {
    n: p.number("servants", servant),
    doubles: p.s.grimoire_doubles,
    reorders: p.s.general_reorders,
  });

/** Who has named whom and what. @param {Position} p @param {number} seat the target */
function marks(p, seat) {
  const { ui } = p;
  const found = p.marks.filter(({ target }) => target === seat);
  return found.map(
    ({ kind, by, target, servant, state }) => html`<p class="mark-of ${kind} ${state}" data-key="mark-${kind}"
        title=${ui.t(`puppet-mark-${kind}-detail`, { by: ui.name(by), target: ui.name(target), servant })}>
    ${icon(kind === "kill" ? "reaper" : "imp")}${ui.shield(by, "tiny")}<span>${ui.sentences([
      ui.t(`puppet-mark-${kind}`, { by: ui.name(by), servant }),
      ...(state === "open" ? [] : [ui.t(`puppet-mark-${state}`)]),
    ])}</span></p>`,
  );
}

// --- goods and buildings ---------------------------------------------------------------------------------------------

/** @param {Position} p @param {number} seat */
function holdings(p, seat) {
  return html`<ul class="holdings">${p.goods.map(
    (good) => html`<li class=${p.has(seat, good) ? "" : "none"} title=${p.words([[good, p.has(seat, good)]])}>
    <span data-key="chip-${seat}-${good}">${chip(good)}</span><b data-key="goods-${seat}-${good}"
        aria-hidden="true">${p.has(seat, good)}</b>${unseen(p.words([[good, p.has(seat, good)]]))}</li>`,
  )}</ul>`;
}

/** @param {Position} p @param {number} seat */
function buildings(p, seat) {
  const { ui } = p;
  return html`<ul class="buildings">${p.owned(seat).map((building) => {
    const { points, tax } = p.cards.buildings[building];
    return html`<li><button class="about tile" aria-disabled="true" data-key="building-${building}">
      ${unseen(
        ui.parts([ui.t(`puppet-building-${building}`), ui.t("puppet-worth", { n: points })]),
      )}${icon(building)}<b aria-hidden="true">${points}</b>${
        p.taxed(seat).includes(building) ? html`<span class="due">${goods(p, p.amounts(tax))}</span>` : nothing
      }${buildingDetail(p, building)}</button></li>`;
  })}</ul>`;
}

/**
 * What the viewer has passed on, been given and laid in the centre this round.
 * @param {Position} p @param {number} me
 */
function memory(p, me) {
  const { ui, s } = p;
  const passed = p.list(s.passed[me]);
  const received = p.list(s.received[me]);
  if (!passed.length || p.over) return nothing;
  return html`<ul class="memory"><li>${ui.t("puppet-memory-passed", { servants: p.names("servant", passed) })}</li>
    ${
      received.length
        ? html`<li>${ui.t("puppet-memory-received", { servants: p.names("servant", received) })}</li>`
        : nothing
    }
    ${p.centre ? html`<li>${ui.t("puppet-memory-centre", { servant: p.centre })}</li>` : nothing}</ul>`;
}
