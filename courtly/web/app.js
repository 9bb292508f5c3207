/**
 * The way in: the lobby at /, a table at /t/<id>, a record at /replay, the rules of a game at /rules/<game>, its lesson
 * at /learn/<game>, for its author its inspector at /dev/<game>, what a link in a mail does at /mail/<token>, a link
 * that carries a seat at /j/<ticket>; anything else leads nowhere. Where no server can be reached, any of them leads to
 * the page that says so.
 */
import { actOnce } from "./double-click.js";
import { tellOnTap } from "./hints.js";
import { keepPhrases } from "./phrases.js";
import { apply, language, onSetting } from "./settings.js";
import { load } from "./texts.js";

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
if (dev !== undefined) words.then(() => import("./dev/watch.js"));
const [, where, what] = location.pathname.match(/^\/(t|g|j|rules|learn|mail|dev)\/([^/]+)$/) ?? [];
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
try {
  if (where !== "t" || offline !== undefined) await words; // a table asks for what it needs meanwhile
  if (offline !== undefined) (await import("./offline/offline.js")).start(page);
  else if (where === "t") await (await import("./table/table.js")).start(page, what);
  else if (where === "dev") await (await import("./dev/inspector.js")).start(page, what);
  else if (where === "g") await (await import("./me/carry.js")).start(page, what);
  else if (where === "j") await (await import("./seat-link.js")).start(page, what);
  else if (where === "mail") await (await import("./mail.js")).start(page, what);
  else if (where === "learn") await (await import("./lesson/lesson.js")).start(page, what);
  else if (where) await (await import("./rules/rules-page.js")).start(page, what);
  else if (location.pathname === "/replay") await (await import("./replay/record.js")).start();
  else if (location.pathname === "/me") await (await import("./me/me.js")).start(page);
  else if (location.pathname === "/") await (await import("./lobby/lobby.js")).start(page);
  else (await import("./nowhere.js")).start(page);
} catch (error) {
  await words;
  (await import("./nowhere.js")).start(page, error);
}
/** Where the server is away by then, another visit keeps the page. */
const keep = () => import("./offline/keep.js").then((offline) => offline.keepPage()).catch(() => {});
// when there is time for it: what is to be seen comes first
if (dev === undefined) setTimeout(keep, 3000);
