/** Bots to play with: their levels, and which of them was chosen last. */
import { html, nothing } from "lit";
import { set, setting } from "../core/user-settings.js";
import { t } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").GameInfo} About */

const USUAL = "squire";

/** Who takes a seat unless another is asked for: the bot that was chosen last, or a squire. @param {About} about */
export function usualBot({ bots }) {
  const ready = bots.filter((bot) => bot.ready).map((bot) => bot.name);
  return [setting("bot"), USUAL].find((name) => ready.includes(name)) ?? ready[ready.length - 1];
}

/** Remember it. @param {string} name */
export const chooseBot = (name) => set("bot", name);

/**
 * What these bots are, how strong they were measured to be, and what those need that cannot be chosen here.
 * @param {About} about @param {string[]} names @param {number} players
 */
export function levels({ bots }, names, players) {
  const told = bots.filter((bot) => names.includes(bot.name));
  return html`${
    told.length
      ? html`<dl class="levels">${told.map(
          (bot) => html`<div><dt>${t(`bot-${bot.name}`)}</dt>
        <dd>${t(`bot-${bot.name}.does`)}${strength(bot.wins[players], players)}</dd></div>`,
        )}</dl>`
      : nothing
  }${bots.every((bot) => bot.ready) ? nothing : html`<p class="quiet needs">${t("bots-need-native")}</p>`}`;
}

/** @param {number | undefined} share @param {number} players */
const strength = (share, players) =>
  share === undefined
    ? nothing
    : ` ${t("bot-wins", { won: Math.round(100 * share), even: Math.round(100 / players), rivals: players - 1 })}`;

/**
 * Who plays in the place of bots that cannot, and why.
 * @param {import("../core/api-types.js").Seat[]} seats
 */
export const insteads = (seats) => [
  ...new Set(
    seats.flatMap(({ bot, standin, instead }) =>
      instead
        ? t(`bot-instead-${instead.why}`, { bot: t(`bot-${standin ?? bot}`), other: t(`bot-${instead.bot}`) })
        : [],
    ),
  ),
];
