/** The players' booths: servants on their strings, goods, buildings, and the marks of Reaper and Imp. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderActions, findServantMove } from "./acts.js";
import { renderChip, renderGoods, renderIcon, renderPuppet, renderVeiled } from "./figures.js";
import { renderPlayed } from "./played.js";
import { renderBuildingDetail, renderProvenance } from "./town.js";

/** @typedef {import("./position.js").Position} Position @typedef {import("./position.js").Mark} Mark */

/** @param {Position} p @param {number} seat */
export function renderBooth(p, seat) {
  const { ui } = p;
  const possible = p.possibleServants(seat);
  const isPending = p.view.pending.includes(seat) && !p.over;
  const open = p.listServants(p.state.hand[seat]).length > 0;
  return html`<section class="booth tint-${seat} ${p.state.seat === seat ? "turn" : ""} ${isPending ? "asked" : ""} ${
    open ? "laid-open" : ""
  }" aria-label=${ui.t("puppet-servants-of", { name: ui.playerName(seat) })}>
    ${renderHeading(p, seat)}
    <div class="servants scenery">${open ? renderHand(p, seat) : renderServants(p, seat)}</div>
    <div class="estate">${renderHoldings(p, seat)}${renderBuildings(p, seat)}
      ${
        possible.length
          ? html`<p class="possible"><small>${ui.t("puppet-can-hold")}</small>${possible.map(
              (servant) =>
                html`<span class="mini" title=${ui.t(`puppet-servant-${servant}`)}>${renderIcon(servant)}${hideVisually(
                  ui.t(`puppet-servant-${servant}`),
                )}</span>`,
            )}</p>`
          : nothing
      }
      ${renderMarks(p, seat)}${renderPlayed(p, seat)}</div>
  </section>`;
}

/** Render the viewer's own booth. @param {Position} p @param {number} me */
export function renderOwnBooth(p, me) {
  const { ui } = p;
  return html`<section class="booth own tint-${me} ${p.state.seat === me ? "turn" : ""}"
      aria-label=${ui.t("puppet-servants-yours")}>
    ${renderHeading(p, me)}
    <div class="servants scenery">${
      p.listServants(p.state.hand[me]).length ? renderHand(p, me) : renderServants(p, me)
    }</div>
    ${renderActions(p)}
    <div
      class="estate">${renderHoldings(p, me)}${renderBuildings(p, me)}${renderMemory(p, me)}${renderMarks(p, me)}</div>
  </section>`;
}

/** @param {Position} p @param {number} seat */
function renderHeading(p, seat) {
  const { ui, state } = p;
  return html`<header>${ui.renderShield(seat, "tiny")}<b>${ui.playerName(seat)}</b>
    ${
      state.parent === seat
        ? html`<span class="parent" data-key="parent"
          title=${ui.t("puppet-parent-detail")}>${renderIcon("parent")}${ui.t("puppet-parent.short")}</span>`
        : nothing
    }
    <span class="track" role="img" aria-label=${ui.t("puppet-points", {
      n: state.points[seat],
      goal: p.goal,
    })}>${Array.from(
      { length: p.goal },
      (_, i) =>
        html`<i class=${i < state.points[seat] ? (i < p.goodCount(seat, "honour") ? "honour" : "built") : ""}></i>`,
    )}</span>
    <b class="points" data-key="points-${seat}" aria-hidden="true">${state.points[seat]}</b></header>`;
}

// --- servants
// ---------------------------------------------------------------------------------------------------------

/**
 * Render the servants in front of a seat; during the draft, those it revealed in the previous round.
 * @param {Position} p @param {number} seat
 */
function renderServants(p, seat) {
  const lying = p.servantsBefore(seat);
  const last = p.servantsLastRound(seat).slice(lying.length);
  const missing = 2 - lying.length - last.length;
  return html`${lying.map(({ key, servant, up, fate }) =>
    servant
      ? renderMarionette(p, key, servant, up, fate)
      : html`<span class="marionette" data-key=${key}>${renderVeiled()}<span
          class="plaque"><b>${p.ui.t("puppet-face-down")}</b></span></span>`,
  )}
    ${last.map(({ key, servant, fate }) => renderMarionette(p, key, servant, true, fate, true))}
    ${Array.from(
      { length: missing },
      (_, i) => html`<span class="marionette none"
        data-key="none-${seat}-${i}">${renderVeiled(true)}<span class="plaque"><b>–</b></span></span>`,
    )}`;
}

/** Render a hand: the viewer's, or any if all hands are shown. @param {Position} p @param {number} seat */
const renderHand = (p, seat) =>
  html`${p
    .listServants(p.state.hand[seat])
    .map((servant) => renderMarionette(p, `hand-${servant}`, servant, true, ""))}`;

/**
 * Render a servant with its name and effect. The viewer's own may be selectable.
 * @param {Position} p @param {string} key @param {string} servant @param {boolean} up @param {string} fate
 * @param {boolean} [gone] is it from the previous round?
 */
function renderMarionette(p, key, servant, up, fate, gone = false) {
  const { ui } = p;
  const { move, chosen } = findServantMove(p, servant, key);
  const name = ui.t(`puppet-servant-${servant}`);
  const missing = move ? "" : whyNotChosen(p, key);
  return html`<button
      class="marionette about ${up ? "up" : "down"} ${gone ? "gone" : ""} ${fate} ${move ? "usable" : ""} ${
        chosen ? "chosen" : ""
      }" data-key=${key} aria-pressed=${move ? String(chosen) : nothing} aria-disabled=${!move}
      @click=${() => move && ui.setLocal({ servant: chosen ? null : servant })}>
    ${renderPuppet(servant, fate)}<span class="drapes" aria-hidden="true"><i></i><i></i></span>
    <span class="plaque"><b>${name}</b><small>${
      gone
        ? ui.t("puppet-last-round")
        : fate
          ? ui.t(`puppet-${fate}`)
          : up || move
            ? effectText(p, servant)
            : ui.t("puppet-face-down")
    }</small></span>
    <span class="detail" role="tooltip"><b>${name}</b>${detailText(p, servant)}${
      missing ? html`<strong class="why-not">${missing}</strong>` : nothing
    }${renderProvenance(p)}</span></button>`;
}

/** Return why the viewer's own servant cannot be chosen now, or "". @param {Position} p @param {string} key */
function whyNotChosen(p, key) {
  const { ui, view, me } = p;
  const isOwn = key.startsWith("hand") || key.startsWith(`down-${me}`);
  if (!isOwn || me === null || p.over) return "";
  if (!view.pending.includes(me)) return ui.t("puppet-refusal-not-your-turn");
  return key.startsWith("down") && p.activeServant ? ui.t("puppet-refusal-already-revealed") : "";
}

/** @param {Position} p @param {string} servant */
export const effectText = (p, servant) =>
  p.ui.t(`puppet-servant-${servant}.does`, { n: p.effectNumber("servants", servant) });
/** @param {Position} p @param {string} servant */
export const detailText = (p, servant) =>
  p.ui.t(`puppet-servant-${servant}.detail`, {
    n: p.effectNumber("servants", servant),
    doubles: p.state.grimoire_doubles,
    reorders: p.state.general_reorders,
  });

/** Render the marks on a seat: by whom, and which servant. @param {Position} p @param {number} seat the target */
function renderMarks(p, seat) {
  const { ui } = p;
  const found = p.marks.filter(({ target }) => target === seat);
  return found.map(
    ({ kind, by, target, servant, state }) => html`<p class="mark-of ${kind} ${state}" data-key="mark-${kind}"
        title=${ui.t(`puppet-mark-${kind}-detail`, { by: ui.playerName(by), target: ui.playerName(target), servant })}>
    ${renderIcon(kind === "kill" ? "reaper" : "imp")}${ui.renderShield(by, "tiny")}<span>${ui.joinSentences([
      ui.t(`puppet-mark-${kind}`, { by: ui.playerName(by), servant }),
      ...(state === "open" ? [] : [ui.t(`puppet-mark-${state}`)]),
    ])}</span></p>`,
  );
}

// --- goods and buildings
// ----------------------------------------------------------------------------------------------

/** @param {Position} p @param {number} seat */
function renderHoldings(p, seat) {
  return html`<ul class="holdings">${p.goods.map(
    (good) => html`<li class=${p.goodCount(seat, good) ? "" : "none"}
      title=${p.formatAmounts([[good, p.goodCount(seat, good)]])}>
    <span data-key="chip-${seat}-${good}">${renderChip(good)}</span><b data-key="goods-${seat}-${good}"
        aria-hidden="true">${p.goodCount(seat, good)}</b>${hideVisually(
          p.formatAmounts([[good, p.goodCount(seat, good)]]),
        )}</li>`,
  )}</ul>`;
}

/** @param {Position} p @param {number} seat */
function renderBuildings(p, seat) {
  const { ui } = p;
  return html`<ul class="buildings">${p.buildingsOf(seat).map((building) => {
    const { points, tax } = p.cards.buildings[building];
    return html`<li><button class="about tile" aria-disabled="true" data-key="building-${building}">
      ${hideVisually(
        ui.joinParts([ui.t(`puppet-building-${building}`), ui.t("puppet-worth", { n: points })]),
      )}${renderIcon(building)}<b aria-hidden="true">${points}</b>${
        p.taxedBuildings(seat).includes(building)
          ? html`<span class="due">${renderGoods(p, p.listAmounts(tax))}</span>`
          : nothing
      }${renderBuildingDetail(p, building)}</button></li>`;
  })}</ul>`;
}

/**
 * Render the servants that the viewer passed on, received and laid in the centre this round.
 * @param {Position} p @param {number} me
 */
function renderMemory(p, me) {
  const { ui, state } = p;
  const passed = p.listServants(state.passed[me]);
  const received = p.listServants(state.received[me]);
  if (!passed.length || p.over) return nothing;
  return html`<ul class="memory"><li>${ui.t("puppet-memory-passed", {
    servants: p.formatNames("servant", passed),
  })}</li>
    ${
      received.length
        ? html`<li>${ui.t("puppet-memory-received", { servants: p.formatNames("servant", received) })}</li>`
        : nothing
    }
    ${
      p.servantInCentre ? html`<li>${ui.t("puppet-memory-centre", { servant: p.servantInCentre })}</li>` : nothing
    }</ul>`;
}
