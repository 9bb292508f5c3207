/** Texts for the time control of a table. */
import { t } from "../core/i18n.js";

/** @typedef {import("../core/api-types.js").Clock} Clock */

/** Return the time control as a short text. @param {Clock} clock */
export const formatTimeControl = (clock) => formatClock(clock, "clock-days", "clock-live");

/** Return the time control as a full sentence. @param {Clock} clock */
export const explainTimeControl = (clock) => formatClock(clock, "clock-days-about", "clock-live-about");

/** @param {Clock} clock @param {string} days @param {string} live */
function formatClock(clock, days, live) {
  const id = "days" in clock ? days : live;
  return t(id, { ...clock, out: t("clock-out") });
}
