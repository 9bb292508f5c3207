/**
 * Live reload for `courtly serve --dev`. When the author saves a static file, `ReconnectingSocket` reloads the page;
 * its URL restores what it shows. When the rules change, the server restarts, and the page reloads then.
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
