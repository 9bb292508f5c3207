/**
 * The way in: the lobby at /, a table at /t/<id>, a record at /replay, the rules of a game at /rules/<game>, its lesson
 * at /learn/<game>, for its author its inspector at /dev/<game>, what a link in a mail does at /mail/<token>, a link
 * that carries a seat at /j/<ticket>; anything else leads nowhere. Where no server can be reached, any of them leads to
 * the page that says so.
 */
import { actOnce } from "./core/double-click-guard.js";
import { tellOnTap } from "./components/tap-tooltips.js";
import { keepPhrases } from "./core/line-breaking.js";
import { apply, language, onSetting } from "./core/user-settings.js";
import { load } from "./core/i18n.js";

apply();
onSetting(() => load());
onSetting(keepPhrases);
const first = language();
onSetting(() => {
  // the browser's translator has put its own words in place of ours, into which none can be written any more
  if (language() !== first && document.querySelector("font")) location.reload();
});
tellOnTap();
actOnce();
if (language() === "ja") {
  // fonts that are soon needed; the sign is in their first slices only
  for (const face of ["400 1em Courtly Gothic", "700 1em Courtly Gothic", "700 1em Courtly Mincho"])
    document.fonts.load(face, "※").catch(() => {});
}
keepPhrases();
const { offline, dev } = document.documentElement.dataset;
const words = load();
if (dev !== undefined) words.then(() => import("./dev/live-reload.js"));
const [, where, what] = location.pathname.match(/^\/(t|g|j|rules|learn|mail|dev)\/([^/]+)$/) ?? [];
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
try {
  if (where !== "t" || offline !== undefined) await words; // a table asks for what it needs meanwhile
  if (offline !== undefined) (await import("./offline/offline-page.js")).start(page);
  else if (where === "t") await (await import("./game-view/game-view.js")).start(page, what);
  else if (where === "dev") await (await import("./dev/inspector.js")).start(page, what);
  else if (where === "g") await (await import("./pages/account/claim-identity.js")).start(page, what);
  else if (where === "j") await (await import("./pages/seat-link-page.js")).start(page, what);
  else if (where === "mail") await (await import("./pages/mail-link-page.js")).start(page, what);
  else if (where === "learn") await (await import("./pages/lesson.js")).start(page, what);
  else if (where) await (await import("./pages/rules.js")).start(page, what);
  else if (location.pathname === "/replay") await (await import("./pages/record.js")).start();
  else if (location.pathname === "/me") await (await import("./pages/account/account-page.js")).start(page);
  else if (location.pathname === "/") await (await import("./pages/lobby.js")).start(page);
  else (await import("./pages/not-found-page.js")).start(page);
} catch (error) {
  await words;
  (await import("./pages/not-found-page.js")).start(page, error);
}
/** Where the server is away by then, another visit keeps the page. */
const keep = () => import("./offline/service-worker-setup.js").then((offline) => offline.keepPage()).catch(() => {});
// when there is time for it: what is to be seen comes first
if (dev === undefined) setTimeout(keep, 3000);
