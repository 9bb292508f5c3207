/** The panels beside the board: log, chat, rules, hints. */
import { isLookedUp, lookUp } from "../components/rules/search.js";
import { getSetting } from "../core/user-settings.js";

/** @typedef {import("./game-view.js").GameView} GameView */

/** The title of a button, with its key where single keys are on. @param {string} text @param {string} key */
export const titleWithKey = (text, key) => (getSetting("keys") === "off" ? text : `${text} (${key.toUpperCase()})`);

/** @param {GameView} table @param {GameView["panel"]} panel */
export function showPanel(table, panel) {
  table.panelOpen = !(table.panelOpen && table.panel === panel);
  table.panel = panel;
  table.refresh();
}

/**
 * The rules, where they tell of this thing; once more, and they are put away.
 * @param {GameView} table @param {Element | null} item
 */
export function showRules(table, item) {
  if (item && !(table.panelOpen && isLookedUp(item))) lookUp(table, item);
  else showPanel(table, "rules");
}
