/** The court: the twenty characters by level, with the royal couple in the centre. */
import { html } from "lit";
import { renderCell } from "./character.js";
import { isPowerBegun } from "./powers.js";
import { renderThrone } from "./throne.js";
import { isInReach } from "./why-not.js";

/** @typedef {import("./position.js").Position} Position */

const COURT_LEVELS = [5, 4, 3, 2, 1, 0];

/**
 * Return the characters in reach in the reader's turn, until its next one. They are listed once a turn, so that no card
 * changes its place during it.
 * @param {Position} p @returns {string[]}
 */
function listInReach(p) {
  const { pageState } = p.ui;
  if (p.canAct && !isPowerBegun(p)) {
    const turn = `${p.state.round} ${p.state.turn}`;
    pageState.reachByTurn ??= {};
    pageState.reachByTurn[turn] ??= p.cards.filter((card) => isInReach(p, card));
    pageState.reach = pageState.reachByTurn[turn];
  }
  return pageState.reach ?? [];
}

/** @param {Position} p @param {import("./requirement.js").MetNeeds[]} needs how far each requirement will be met */
export function renderCourt(p, needs) {
  const inReach = listInReach(p);
  return html`<div class="court" @keydown=${handleArrows}>${COURT_LEVELS.map(
    (level) => html`
    <section class="level level-${level}" aria-label=${p.ui.t("petition-level", { level })}>
      ${
        level === 5 && p.isKingTaken
          ? renderThrone(p)
          : p
              .cardsOfLevel(level)
              .map((card) => renderCell(p, card, needs[p.cards.indexOf(card)], inReach.includes(card)))
      }
    </section>`,
  )}</div>`;
}

/** Arrow keys move the focus from card to card. @param {KeyboardEvent} event */
function handleArrows(event) {
  const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 })[
    event.key
  ];
  if (!step) return;
  const cards = /** @type {HTMLElement[]} */ ([
    .../** @type {Element} */ (event.currentTarget).querySelectorAll(".card"),
  ]);
  cards[cards.indexOf(/** @type {HTMLElement} */ (event.target)) + step]?.focus();
  event.preventDefault();
}
