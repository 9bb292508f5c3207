/** Bots to play with: their levels, and which of them was chosen last. */
import { html, nothing } from "lit";
import { saveSetting, getSetting } from "../core/user-settings.js";
import { t } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").GameInfo} About */

const DEFAULT_BOT = "squire";

/** Who takes a seat unless another is asked for: the bot that was chosen last, or a squire. @param {About} about */
export function getDefaultBot({ bots }) {
  const ready = bots.filter((bot) => bot.ready).map((bot) => bot.name);
  return [getSetting("bot"), DEFAULT_BOT].find((name) => ready.includes(name)) ?? ready[ready.length - 1];
}

/** Remember it. @param {string} name */
export const saveBotChoice = (name) => saveSetting("bot", name);

/**
 * What these bots are, how strong they were measured to be, and what those need that cannot be chosen here.
 * @param {About} about @param {string[]} names @param {number} players
 */
export function renderBotLevels({ bots }, names, players) {
  const shown = bots.filter((bot) => names.includes(bot.name));
  return html`${
    shown.length
      ? html`<dl class="levels">${shown.map(
          (bot) => html`<div><dt>${t(`bot-${bot.name}`)}</dt>
        <dd>${t(`bot-${bot.name}.does`)}${formatWinRate(bot.wins[players], players)}</dd></div>`,
        )}</dl>`
      : nothing
  }${bots.every((bot) => bot.ready) ? nothing : html`<p class="quiet needs">${t("bots-need-native")}</p>`}`;
}

/** @param {number | undefined} share @param {number} players */
const formatWinRate = (share, players) =>
  share === undefined
    ? nothing
    : ` ${t("bot-wins", { won: Math.round(100 * share), even: Math.round(100 / players), rivals: players - 1 })}`;

/**
 * Who plays in the place of bots that cannot, and why.
 * @param {import("../core/api-types.js").Seat[]} seats
 */
export const listSubstitutions = (seats) => [
  ...new Set(
    seats.flatMap(({ bot, standin, instead }) =>
      instead
        ? t(`bot-instead-${instead.why}`, { bot: t(`bot-${standin ?? bot}`), other: t(`bot-${instead.bot}`) })
        : [],
    ),
  ),
];
