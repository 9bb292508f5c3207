/** Controls for choosing bots: their levels, and the last choice. */
import { html, nothing } from "lit";
import { saveSetting, getSetting } from "../core/user-settings.js";
import { t } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").GameInfo} About */

const DEFAULT_BOT = "squire";

/**
 * Return the bot that a seat gets by default: the last choice if it can play here, otherwise a squire.
 * @param {About} about
 */
export function getDefaultBot({ bots }) {
  const ready = bots.filter((bot) => bot.ready).map((bot) => bot.name);
  return [getSetting("bot"), DEFAULT_BOT].find((name) => ready.includes(name)) ?? ready[ready.length - 1];
}

/** Store the choice as the next default. @param {string} name */
export const saveBotChoice = (name) => saveSetting("bot", name);

/**
 * Describe these bots: what they are, their measured strength, and what is missing for those that cannot be chosen
 * here.
 * @param {About} about @param {string[]} names @param {number} players
 */
export function renderBotLevels({ bots }, names, players) {
  const shownBots = bots.filter((bot) => names.includes(bot.name));
  return html`${
    shownBots.length
      ? html`<dl class="levels">${shownBots.map(
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
 * Return the texts that say which bots are replaced by another one, and why.
 * @param {import("../core/api-types.js").Seat[]} seats
 */
export const listSubstitutions = (seats) => [
  ...new Set(
    seats.flatMap(({ bot, substitute, replacement }) =>
      replacement
        ? t(`bot-instead-${replacement.reason}`, {
            bot: t(`bot-${substitute ?? bot}`),
            other: t(`bot-${replacement.bot}`),
          })
        : [],
    ),
  ),
];
