/** The bar of a game that is played back: where it is, on and back, how fast, and with whose eyes. */
import { html, nothing } from "lit";
import { mark } from "../../board-sdk/ui-icons.js";
import { SPEEDS } from "./replay.js";
import { copy } from "../../components/qr-code.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("./replay.js").Replay} Replay @typedef {import("./replay.js").Eyes} Eyes */

/** @param {Replay} replay */
export function bar(replay) {
  const { at, last, playing } = replay;
  return html`<section class="past" aria-label=${t("replay")}>
    <div class="course">
      <p class="said">${replay.said}</p>
      <input type="range" min="0" max=${last} .value=${String(at)} aria-label=${t("replay-place")}
        aria-valuetext=${replay.said} @input=${(/** @type {any} */ event) => {
          replay.pause();
          replay.go(Number(event.target.value));
        }}>
      ${eyes(replay)}
      ${
        replay.back
          ? html`<button class="button small return"
              @click=${() => replay.back?.()}>${t(replay.outdated ? "replay-gone-on" : "replay-return")}</button>`
          : nothing
      }
    </div>
    <div class="keys">
      ${button("replay-turn-back", "first", () => replay.step(-1, "turn"), at === 0)}
      ${button("replay-back", "before", () => replay.step(-1), at === 0)}
      ${
        playing
          ? button("replay-pause", "pause", () => replay.pause())
          : button("replay-play", "play", () => replay.play())
      }
      ${button("replay-on", "after", () => replay.step(1), at === last)}
      ${button("replay-turn-on", "last", () => replay.step(1, "turn"), at === last)}
      <select aria-label=${t("replay-speed")} title=${t("replay-speed")}
          @change=${(/** @type {any} */ event) => replay.hurry(Number(event.target.value))}>
        ${SPEEDS.map(
          (speed) =>
            html`<option value=${speed} ?selected=${speed === replay.speed}>${t("replay-times", {
              speed,
            })}</option>`,
        )}</select>
      ${
        replay.link
          ? html`<button class="icon-button replay-link" title=${t("replay-link")} aria-label=${t("replay-link")}
              @click=${() => share(replay)}>${mark("link")}</button>`
          : nothing
      }
    </div></section>`;
}

/**
 * @param {string} id its words @param {Parameters<typeof mark>[0]} picture @param {() => void} does
 * @param {boolean} [off]
 */
const button = (id, picture, does, off = false) =>
  html`<button class="icon-button ${id}" title=${t(id)} aria-label=${t(id)} ?disabled=${off}
      @click=${does}>${mark(picture)}</button>`;

/** Whose eyes: there is a choice once the game is over and something was hidden. @param {Replay} replay */
function eyes(replay) {
  const { table, info } = replay;
  if ((replay.back && info.status !== "over") || !table?.about.hidden) return nothing;
  const told = (/** @type {Eyes} */ who) =>
    who === "all" ? t("replay-open") : t("replay-eyes", { name: table.ui.name(Number(who)) });
  return html`<select class="eyes" aria-label=${t("replay-seen-by")} title=${t("replay-seen-by")}
      ?disabled=${replay.busy} @change=${(/** @type {any} */ event) =>
        replay.look(event.target.value === "all" ? "all" : Number(event.target.value))}>
    ${
      /** @type {Eyes[]} */ (["all", ...info.seats.map(({ seat }) => seat)]).map(
        (who) => html`<option value=${who} ?selected=${who === replay.eyes}>${told(who)}</option>`,
      )
    }</select>`;
}

/** @param {Replay} replay */
async function share(replay) {
  const url = new URL(replay.link?.() ?? "", location.href).href;
  const field = document.createElement("input");
  field.value = url;
  field.readOnly = true;
  document.body.append(field);
  await copy(url, field);
  field.remove();
}
