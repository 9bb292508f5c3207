/** The colours of the seats: one's own can be chosen, and is wished for at every table from then on. */
import { html, nothing } from "lit";
import { note } from "./dialogs.js";
import { arms, DEVICES } from "../board-sdk/seat-shield.js";
import { icons } from "../board-sdk/icons.js";
import { set, setting } from "../core/user-settings.js";
import { t } from "../core/i18n.js";

/**
 * @typedef {import("../game-view/game-view.js").Table} Table
 * @typedef {import("../core/api-types.js").SeatColor} Colour
 */

/** @type {Colour[]} */
const COLOURS = ["gules", "azure", "vert", "purpure", "tenne"]; // black is hard to see in the dark

/** What is wished for when a table is opened or a seat taken. @returns {{colour?: string}} */
export const wished = () => (setting("colour") ? { colour: setting("colour") } : {});

/** Everything of a seat is drawn in its colour. @param {Table} table */
export function paint({ info }) {
  const { style } = document.documentElement;
  for (const { seat, colour } of info.seats) if (colour) style.setProperty(`--seat-${seat}`, `var(--${colour})`);
}

/** @param {Table} table */
export function chooser(table) {
  const mine = table.mine.find(({ kind }) => kind === "person") ?? table.mine[0];
  if (!mine || table.replay || table.guide) return nothing;
  const choose = async (/** @type {Colour} */ colour) => {
    set("colour", colour);
    const told = await table.tell("colour", { colour });
    if (told && told.seats[mine.seat].colour !== colour) note(t("colour-taken"));
  };
  return html`<div class="choice colours" role="group" aria-label=${t("colour")}><span>${t("colour")}</span>
    <div>${COLOURS.map(
      (colour) => html`<button title=${t(`colour-${colour}`)} aria-label=${t(`colour-${colour}`)}
        aria-pressed=${mine.colour === colour}
        @click=${() => choose(colour)}>${arms(colour, icons[DEVICES[mine.seat]])}</button>`,
    )}</div></div>`;
}
