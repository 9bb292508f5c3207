/** The way in: the lobby at /, a table at /t/<id>. */
import { apply, onSetting } from "./settings.js";
import { load } from "./texts.js";
import { complain } from "./dialogs.js";

apply();
onSetting(() => load());
await load();
const table = location.pathname.match(/^\/t\/([^/]+)$/);
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
try {
  if (table) await (await import("./table.js")).start(page, decodeURIComponent(table[1]));
  else await (await import("./lobby.js")).start(page);
} catch (error) {
  complain(error);
}
