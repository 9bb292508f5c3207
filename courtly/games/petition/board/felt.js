/** The felt: active dice, kept dice in their tray, and the controls for them. */
import { html, nothing, repeat } from "lit";
import { renderDie, renderStaticDie } from "../../../web/board-sdk/die.js";
import { keyCharacter } from "../../../web/core/key-names.js";
import { getSetting } from "../../../web/core/user-settings.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderClaims, renderHand } from "./hand.js";
import { expandFaces, DIE_FACES } from "./position.js";
import { isPowerBegun, maxPicked, isPickable } from "./powers.js";
import { renderButtons, currentChoice, cancelPower } from "./turn.js";
import { whyNotPicked } from "./why-not.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function renderFelt(p) {
  if (p.over || p.phase === "starting") return html`<section class="felt bare"></section>`;
  const label = p.ui.t(`petition-phase-${isPowerBegun(p) ? "power" : p.phase}`);
  const isWatched = p.seat !== p.me || !p.canAct; // also in a replay
  return html`<section class="felt ${p.ui.pageState.isDockFolded ? "folded" : ""} ${isWatched ? "watched" : ""}"
      aria-label=${label} @reveal=${() => setFolded(p, false)}>
    ${renderHeading(p)}${
      p.phase === "claiming" && p.canAct ? renderClaims(p) : renderActiveDice(p)
    }${renderButtons(p)}${renderTray(p)}${renderHand(p)}</section>`;
}

/** Render the round, the player who started it, and the sum of the dice. @param {Position} p */
function renderHeading(p) {
  const { ui, state } = p;
  const { sum } = p.facts;
  const { bestGroup } = p;
  const worth =
    p.isLastRound && bestGroup
      ? html`${ui.formatLabelled(ui.t("petition-best"))}${bestGroup.count} × ${renderStaticDie(
          bestGroup.face,
          "small",
        )}`
      : ui.t("petition-sum", { n: sum });
  return html`<p class="heading ${p.isKingTaken ? "crowned" : ""}"><b>${p.roundText}</b>
    <span class="starter">${ui.formatLabelled(ui.t("petition-start-player"))}${ui.renderShield(state.start, "tiny")}
    ${ui.playerName(state.start)}</span>
    ${
      p.isKingTaken
        ? html`<span class="goal">${ui.formatLabelled(ui.t("petition-mark"))}${state.mark[0]} × ${renderStaticDie(
            state.mark[1],
            "small",
          )}</span>`
        : nothing
    }
    ${sum ? html`<span class="sum">${worth}</span>` : nothing}${renderFold(p)}</p>`;
}

/** Render the button that folds the dice away where they lie over the cards: on phones. @param {Position} p */
function renderFold(p) {
  const { pageState } = p.ui;
  return html`<button class="fold" aria-expanded=${!pageState.isDockFolded} aria-label=${p.ui.t("petition-dice")}
    @click=${() => setFolded(p, !pageState.isDockFolded)}></button>`;
}

/** @param {Position} p @param {boolean} isFolded */
function setFolded({ ui }, isFolded) {
  ui.pageState.isDockFolded = isFolded;
  ui.setLocal({});
}

/** Return each die's face and key: the face, and its number among equal dice. @param {number[]} list */
const withKeys = (list) => list.map((face, i) => ({ face, key: `${face}-${i - list.indexOf(face)}` }));

/** @param {number} n */
const diceSizeClass = (n) => (n > 14 ? "tiny" : n > 8 ? "small" : n > 6 ? "less" : "");

/** Return how many dice are in one row, and in each of two: the style sheet sizes them by that. @param {number} n */
const sizeOfRows = (n) => `--count: ${Math.max(n, 1)}; --half: ${Math.max(Math.ceil(n / 2), 1)}`;

/** @param {Position} p */
function renderActiveDice(p) {
  const { ui, state } = p;
  const { power, chosen } = currentChoice(p);
  const list = expandFaces(state.active);
  const taken = expandFaces(state.taken);
  const waiting = Array.from(
    { length: state.rolling },
    (_, i) => html`<span class="slot" data-key="hand-${i}">${renderDie(0, "waiting")}</span>`,
  );
  const added = power === "queen" && chosen?.to;
  const count = list.length + state.rolling + taken.length + (added ? 1 : 0);
  return html`<div class="zone active"><h2>${
    state.rolling ? ui.t("petition-rolling", { n: state.rolling }) : ui.t("petition-active")
  }</h2>
    <div class="dice ${diceSizeClass(count)}" role="group" aria-label=${ui.t("petition-active")}
        .style=${sizeOfRows(count)}>
      ${repeat(
        withKeys(list),
        ({ key }) => key,
        ({ face, key }) => renderActiveDie(p, face, key),
      )}${waiting}
      ${
        added
          ? html`<span class="slot">${renderDie(added[0], "changed")}<i class="badge plus"
            aria-hidden="true"></i></span>`
          : nothing
      }
      ${
        taken.length
          ? html`<span class="taken"><small>${ui.t("petition-taken")}</small>${taken.map((face) =>
              renderDie(face),
            )}</span>`
          : nothing
      }
    </div></div>`;
}

/** @param {Position} p @param {number} face @param {string} key */
function renderActiveDie(p, face, key) {
  const { ui } = p;
  const { power, keys, picked, chosen } = currentChoice(p);
  const nth = keys.indexOf(key);
  const is = nth >= 0;
  const rest = keys.filter((other) => other !== key);
  const limit = power ? maxPicked(p, power) : 99;
  const instead = limit === 1 ? [] : rest; // if only one die can be picked, another one replaces it
  const others = instead.map((other) => Number(other[0]));
  const free = power
    ? limit > others.length && isPickable(p, power, others, face)
    : ui.legalMoves("keep", { face }).length > 0;
  const rolled = is && chosen?.to.length === 0;
  const to = is && chosen?.to.length === picked.length ? chosen.to[nth] : face;
  const content = rolled
    ? html`${renderDie(face, "again")}<i class="badge again" aria-hidden="true"></i>`
    : to === face
      ? renderDie(face)
      : html`${renderDie(to, "changed")}<i class="badge" aria-hidden="true">${renderStaticDie(face, "small")}</i>`;
  const label = to === face ? ui.t("petition-die", { face }) : ui.t("petition-die-becomes", { face, to });
  if (!is && !free) {
    const reason = power ? whyNotPicked(p, power, face) : "";
    return html`<span class="slot" data-key="active-${key}" title=${reason || nothing}>${content}${hideVisually(
      ui.joinSentences([label, reason].filter(Boolean)),
    )}</span>`;
  }
  return html`<button class="slot ${is ? "picked" : ""}" data-key="active-${key}" aria-pressed=${is} aria-label=${label}
    @click=${() => ui.setLocal({ picked: is ? rest : [...instead, key], choice: null })}>${content}</button>`;
}

/**
 * Keys 1 to 6 pick a die with that face. Escape closes the details of a character, or cancels the use of one.
 * @param {Position} p
 */
export const keyHandler = (p) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Escape" && p.ui.local.detail) p.ui.setLocal({ detail: null });
  else if (event.key === "Escape" && p.ui.local.power) cancelPower(p);
  const face = Number(keyCharacter(event));
  if (!DIE_FACES.includes(face) || getSetting("keys") === "off") return;
  const board = /** @type {Element} */ (event.currentTarget);
  /** @type {HTMLElement | null} */ (board.querySelector(`button[data-key^="active-${face}-"]:not(.picked)`))?.click();
};

/** Render the kept dice. @param {Position} p */
function renderTray(p) {
  const { ui } = p;
  const list = expandFaces(p.state.aside);
  const label = ui.formatLabelled(ui.t("petition-aside"), list.join(" ") || ui.t("petition-none"));
  return html`<div class="zone tray"><h2>${ui.t("petition-aside")}</h2>
    <div class="dice ${diceSizeClass(list.length + 2)}" role="group" aria-label=${label}
        .style=${sizeOfRows(list.length)}>
      ${withKeys(list).map(
        ({ face, key }) => html`<span class="slot"
          data-key="aside-${key}">${renderDie(face, "kept")}</span>`,
      )}</div></div>`;
}
