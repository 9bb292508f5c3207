/**
 * With `courtly serve --dev`: when its author saves a file of it, a page is loaded anew, as `ReconnectingSocket` does;
 * what it shows stays, since the address says it. For changed rules the server starts again, and then the page is
 * loaded anew too.
 */
import { showToast } from "../components/dialogs.js";
import { ReconnectingSocket } from "../core/http-client.js";
import { t } from "../core/i18n.js";

let serverRun = "";
new ReconnectingSocket("/ws/dev").open({
  onMessage: (/** @type {any} */ message) => {
    if (serverRun && serverRun !== message.run) location.reload();
    serverRun = message.run;
    if (message.changed) showToast(t("dev-rules-changed", { file: message.changed }));
    if (message.wrong) showToast(t("dev-rules-wrong", { why: message.wrong }), true);
  },
  onStateChange: () => {},
});
