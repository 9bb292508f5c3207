/**
 * The way in: the lobby at /, a table at /t/<id>, a record at /replay, the rules of a game at /rules/<game>, its lesson
 * at /learn/<game>, for its author its inspector at /dev/<game>, what a link in a mail does at /mail/<token>, a link
 * that carries a seat at /j/<ticket>; anything else leads nowhere. Where no server can be reached, any of them leads to
 * the page that says so.
 */
import { installDoubleClickGuard } from "./core/double-click-guard.js";
import { installTapTooltips } from "./components/tap-tooltips.js";
import { enablePhraseBreaks } from "./core/line-breaking.js";
import { applySettings, currentLanguage, onSettingChange } from "./core/user-settings.js";
import { loadCatalogues } from "./core/i18n.js";

applySettings();
onSettingChange(() => loadCatalogues());
onSettingChange(enablePhraseBreaks);
const initialLanguage = currentLanguage();
onSettingChange(() => {
  // the browser's translator has put its own words in place of ours, into which none can be written any more
  if (currentLanguage() !== initialLanguage && document.querySelector("font")) location.reload();
});
installTapTooltips();
installDoubleClickGuard();
if (currentLanguage() === "ja") {
  // fonts that are soon needed; the sign is in their first slices only
  for (const face of ["400 1em Courtly Gothic", "700 1em Courtly Gothic", "700 1em Courtly Mincho"])
    document.fonts.load(face, "※").catch(() => {});
}
enablePhraseBreaks();
const { offline, dev } = document.documentElement.dataset;
const catalogues = loadCatalogues();
if (dev !== undefined) catalogues.then(() => import("./dev/live-reload.js"));
const [, section, argument] = location.pathname.match(/^\/(t|g|j|rules|learn|mail|dev)\/([^/]+)$/) ?? [];
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
try {
  if (section !== "t" || offline !== undefined) await catalogues; // a table asks for what it needs meanwhile
  if (offline !== undefined) (await import("./offline/offline-page.js")).start(page);
  else if (section === "t") await (await import("./pages/table.js")).start(page, argument);
  else if (section === "dev") await (await import("./dev/inspector.js")).start(page, argument);
  else if (section === "g") await (await import("./pages/account/claim-identity.js")).start(page, argument);
  else if (section === "j") await (await import("./pages/seat-link-page.js")).start(page, argument);
  else if (section === "mail") await (await import("./pages/mail-link-page.js")).start(page, argument);
  else if (section === "learn") await (await import("./pages/lesson.js")).start(page, argument);
  else if (section) await (await import("./pages/rules.js")).start(page, argument);
  else if (location.pathname === "/replay") await (await import("./pages/record.js")).start();
  else if (location.pathname === "/me") await (await import("./pages/account/account-page.js")).start(page);
  else if (location.pathname === "/") await (await import("./pages/lobby.js")).start(page);
  else (await import("./pages/not-found-page.js")).start(page);
} catch (error) {
  await catalogues;
  (await import("./pages/not-found-page.js")).start(page, error);
}
/** Where the server is away by then, another visit keeps the page. */
const registerOffline = () =>
  import("./core/service-worker-setup.js").then((offline) => offline.registerServiceWorker()).catch(() => {});
// when there is time for it: what is to be seen comes first
if (dev === undefined) setTimeout(registerOffline, 3000);
