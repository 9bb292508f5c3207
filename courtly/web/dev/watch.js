/**
 * With `courtly serve --dev`: when its author saves a file of it, a page is loaded anew, as `Line` does; what it shows
 * stays, since the address says it. Changed rules need another server, and then another page.
 */
import { note } from "../dialogs.js";
import { Line } from "../net.js";
import { t } from "../texts.js";

let run = "";
new Line("/ws/dev").open({
  hear: (/** @type {any} */ message) => {
    if (run && run !== message.run) location.reload();
    run = message.run;
    if (message.changed) note(t("dev-rules-changed", { file: message.changed }), true);
  },
  state: () => {},
});
