/**
 * With `courtly serve --dev`: when its author saves a file of it, a page is loaded anew, as `Line` does; what it shows
 * stays, since the address says it. For changed rules the server starts again, and then the page is loaded anew too.
 */
import { note } from "../components/dialogs.js";
import { Line } from "../core/http-client.js";
import { t } from "../core/i18n.js";

let run = "";
new Line("/ws/dev").open({
  hear: (/** @type {any} */ message) => {
    if (run && run !== message.run) location.reload();
    run = message.run;
    if (message.changed) note(t("dev-rules-changed", { file: message.changed }));
    if (message.wrong) note(t("dev-rules-wrong", { why: message.wrong }), true);
  },
  state: () => {},
});
