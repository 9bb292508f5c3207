/**
 * The router: the lobby at /, a table at /t/<id>, a record at /replay, a game's rules at /rules/<game>, its lesson at
 * /learn/<game>, its inspector at /dev/<game>, a link from a mail at /mail/<token>, a seat link at /j/<ticket>. Other
 * paths show the "not found" page. Without a server, offline-page.js shows each path.
 */
import { installDoubleClickGuard } from "./core/double-click-guard.js";
import { installTapTooltips } from "./components/tap-tooltips.js";
import { enablePhraseBreaks } from "./core/line-breaking.js";
import { applySettings, currentLanguage, onSettingChange } from "./core/user-settings.js";
import { loadCatalogues } from "./core/i18n.js";
import { readPageAddress } from "./core/page-address.js";

applySettings();
onSettingChange(() => loadCatalogues());
onSettingChange(enablePhraseBreaks);
const initialLanguage = currentLanguage();
onSettingChange(() => {
  // the browser's translator has replaced our text nodes, and lit can no longer update them
  if (currentLanguage() !== initialLanguage && document.querySelector("font")) location.reload();
});
installTapTooltips();
installDoubleClickGuard();
if (currentLanguage() === "ja") {
  // preload fonts; ※ is only in each face's first slice
  for (const face of ["400 1em Courtly Gothic", "700 1em Courtly Gothic", "700 1em Courtly Mincho"])
    document.fonts.load(face, "※").catch(() => {});
}
enablePhraseBreaks();
const { offline, dev } = document.documentElement.dataset;
const catalogues = loadCatalogues();
if (dev !== undefined) catalogues.then(() => import("./dev/live-reload.js"));
const { section, argument } = readPageAddress();
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
try {
  if (section !== "t" || offline !== undefined) await catalogues; // a table loads its catalogues in parallel
  if (offline !== undefined) await (await import("./offline/offline-page.js")).start(page, section, argument);
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
/** Cache the offline page for the next visit without a server. */
const registerOffline = () =>
  import("./core/service-worker-setup.js").then((offline) => offline.registerServiceWorker()).catch(() => {});
// with low priority: after the first rendering; the offline page caches more, and does so when nothing is loaded
if (dev === undefined && offline === undefined) setTimeout(registerOffline, 3000);
