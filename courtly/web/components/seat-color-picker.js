/** The choice of one's own seat colour, which is requested at every table from then on. */
import { html, nothing } from "lit";
import { showToast } from "./dialogs.js";
import { renderEmblem } from "../board-sdk/seat-shield.js";
import { SEAT_DEVICES } from "../core/player-names.js";
import { icons } from "../board-sdk/icons.js";
import { saveSetting, getSetting } from "../core/user-settings.js";
import { t } from "../core/i18n.js";

/**
 * @typedef {import("../game-view/game-view.js").GameView} GameView
 * @typedef {import("../core/api-types.js").SeatColor} Colour
 */

/** @type {Colour[]} */
const SEAT_COLOURS = ["gules", "azure", "vert", "purpure", "tenne"]; // not black: low contrast in the dark scheme

/** Return the colour to request when opening a table or taking a seat. @returns {{colour?: string}} */
export const getPreferredColour = () => (getSetting("colour") ? { colour: getSetting("colour") } : {});

/** Set the CSS variables of the seats' colours. @param {GameView} table */
export function applySeatColours({ info }) {
  const { style } = document.documentElement;
  for (const { seat, colour } of info.seats) if (colour) style.setProperty(`--seat-${seat}`, `var(--${colour})`);
}

/** @param {GameView} table */
export function renderColourPicker(table) {
  const ownSeat = table.mySeats.find(({ kind }) => kind === "person") ?? table.mySeats[0];
  if (!ownSeat || table.replay || table.guide) return nothing;
  const choose = async (/** @type {Colour} */ colour) => {
    saveSetting("colour", colour);
    const updated = await table.postCommand("colour", { colour });
    if (updated && updated.seats[ownSeat.seat].colour !== colour) showToast(t("colour-taken"));
  };
  return html`<div class="choice colours" role="group" aria-label=${t("colour")}><span>${t("colour")}</span>
    <div>${SEAT_COLOURS.map(
      (colour) => html`<button title=${t(`colour-${colour}`)} aria-label=${t(`colour-${colour}`)}
        aria-pressed=${ownSeat.colour === colour}
        @click=${() => choose(colour)}>${renderEmblem(colour, icons[SEAT_DEVICES[ownSeat.seat]])}</button>`,
    )}</div></div>`;
}
