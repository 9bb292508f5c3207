/** The panels beside the board: log, chat, rules, hints. */
import { isLookedUp, lookUp } from "../components/rules/search.js";
import { getSetting } from "../core/user-settings.js";

/** @typedef {import("./game-view.js").GameView} GameView */

/**
 * Return the title of a button, with its shortcut if shortcuts are enabled.
 * @param {string} text @param {string} key
 */
export const titleWithKey = (text, key) => (getSetting("keys") === "off" ? text : `${text} (${key.toUpperCase()})`);

/** @param {GameView} table @param {GameView["panel"]} panel */
export function showPanel(table, panel) {
  table.panelOpen = !(table.panelOpen && table.panel === panel);
  table.panel = panel;
  table.refresh();
}

/**
 * Open the rules at the passage about this object; a second call closes them.
 * @param {GameView} table @param {Element | null} item
 */
export function showRules(table, item) {
  if (item && !(table.panelOpen && isLookedUp(item))) lookUp(table, item);
  else showPanel(table, "rules");
}
