/** Keys of the table, and the page that tells them. */
import { html, nothing } from "lit";
import { focusChoice } from "./focus-choices.js";
import { wish } from "./hints.js";
import { dialog } from "../components/dialogs.js";
import { letter } from "../core/key-names.js";
import { found, lookUp, pointed } from "../components/rules/search.js";
import { choice } from "../components/preferences-panel.js";
import { set, setting } from "../core/user-settings.js";
import { offered } from "./chat.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").Table} Table */

/** @type {Record<string, [string, (table: Table) => void]>} key: message, what it does */
const KEYS = {
  u: ["undo", (table) => table.undo()],
  l: ["log", (table) => showPanel(table, "log")],
  h: ["help-ask", wish],
  c: ["talk", (table) => offered(table) && write(table)],
  r: ["rules", (table) => showRules(table, pointed())],
  p: ["switch-plain", (table) => set("plain", table.plain ? "" : "yes")],
  v: ["replay-since", (table) => table.recall()],
  b: ["key-board", focusChoice],
  "?": ["help", () => help()],
};

/** The title of a button, with its key where single keys are on. @param {string} text @param {string} key */
export const titled = (text, key) => (setting("keys") === "off" ? text : `${text} (${key.toUpperCase()})`);

/** @param {Table} table @param {Table["panel"]} panel */
export function showPanel(table, panel) {
  table.panelOpen = !(table.panelOpen && table.panel === panel);
  table.panel = panel;
  table.refresh();
}

/**
 * The rules, where they tell of this thing; once more, and they are put away.
 * @param {Table} table @param {Element | null} thing
 */
export function showRules(table, thing) {
  if (thing && !(table.panelOpen && found(thing))) lookUp(table, thing);
  else showPanel(table, "rules");
}

/** What others say is opened, and the keyboard goes to where something can be said. @param {Table} table */
async function write(table) {
  if (!table.talk.shown) showPanel(table, "talk");
  await null; // drawn
  /** @type {HTMLElement | null} */ (document.querySelector(".voice input"))?.focus();
}

/** @param {Table} table */
export function shortcuts(table) {
  addEventListener(
    "keydown",
    (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
      if (event.key === "Escape") {
        table.player.skip();
        table.panelOpen = false;
        table.refresh();
      }
      if (table.replay?.key(event)) return event.preventDefault();
      const key = setting("keys") === "off" ? undefined : KEYS[letter(event)];
      if (!key) return;
      event.preventDefault();
      if (!event.repeat) key[1](table);
    },
    table.until,
  );
}

export function help() {
  dialog(
    "help",
    () => t("help"),
    () => html`
    <p>${t("help-text")}${setting("keys") === "off" ? nothing : t("sentence-space") + t("help-rules")}</p>
    <dl class="keys">
      ${(setting("keys") === "off" ? [] : Object.entries(KEYS)).map(
        ([key, [message]]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(message)}</dd></div>`,
      )}
      <div><dt><kbd>Tab</kbd> <kbd>Enter</kbd></dt><dd>${t("key-tab")}</dd></div>
      <div><dt><kbd>Esc</kbd></dt><dd>${t("key-escape")}</dd></div>
    </dl>
    <div class="preferences">${choice(
      t("keys"),
      [
        ["", t("on")],
        ["off", t("off")],
      ],
      setting("keys"),
      (value) => set("keys", value),
      t("keys-about"),
    )}</div>`,
  );
}
