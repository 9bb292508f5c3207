/** The controls of a replay: position, steps, speed and viewpoint. */
import { html, nothing } from "lit";
import { renderUiIcon } from "../../board-sdk/ui-icons.js";
import { REPLAY_SPEEDS } from "./speed.js";
import { copyToClipboard } from "../../components/qr-code.js";
import { t } from "../../core/i18n.js";
import { isPanelDrawer } from "../../core/user-settings.js";
import { findReviewedMoves } from "../decision-ranking.js";
import { renderPositionButton } from "../play-on.js";

/** @typedef {import("./replay.js").Replay} Replay @typedef {import("./replay.js").Viewpoint} Viewpoint */

/** @param {Replay} replay */
export function renderControls(replay) {
  const { index, lastIndex, isPlaying } = replay;
  const text = isPanelDrawer() ? replay.shortStatusText : replay.statusText;
  return html`<section class="past" aria-label=${t("replay")}>
    <div class="course">
      <p class="said">${renderReviewedMoves(replay) ?? text}</p>
      <input type="range" min="0" max=${lastIndex} .value=${String(index)} aria-label=${t("replay-place")}
        aria-valuetext=${replay.statusText} @input=${(/** @type {any} */ event) => {
          replay.pause();
          replay.goTo(Number(event.target.value));
        }}>
      ${renderViewpointSelect(replay)}
      ${
        replay.returnToGame
          ? html`<button class="button small return"
              @click=${() => replay.returnToGame?.()}>${t(
                replay.isOutdated ? "replay-gone-on" : replay.returnText,
              )}</button>`
          : nothing
      }
    </div>
    <div class="keys">
      ${renderButton("replay-turn-back", "farBack", () => replay.step(-1, "turn"), index === 0)}
      ${renderButton("replay-back", "before", () => replay.step(-1), index === 0)}
      ${
        isPlaying
          ? renderButton("replay-pause", "pause", () => replay.pause())
          : renderButton("replay-play", "play", () => replay.play())
      }
      ${renderButton("replay-on", "after", () => replay.step(1), index === lastIndex)}
      ${renderButton("replay-turn-on", "farOn", () => replay.step(1, "turn"), index === lastIndex)}
      ${renderPositionButton(replay)}
      <select aria-label=${t("replay-speed")} title=${t("replay-speed")}
          @change=${(/** @type {any} */ event) => replay.setSpeed(Number(event.target.value))}>
        ${REPLAY_SPEEDS.map(
          (speed) =>
            html`<option value=${speed} ?selected=${speed === replay.speed}>${t("replay-times", {
              speed,
            })}</option>`,
        )}</select>
      ${
        replay.getLink
          ? html`<button class="icon-button replay-link" title=${t("replay-link")} aria-label=${t("replay-link")}
              @click=${() => shareMoment(replay)}>${renderUiIcon("link")}</button>`
          : nothing
      }
    </div></section>`;
}

/** Render the moves that a review marks on the board, where its panel is a drawer. @param {Replay} replay */
function renderReviewedMoves({ table }) {
  const reviewed = table && isPanelDrawer() ? findReviewedMoves(table) : null;
  if (!table || !reviewed) return null;
  const [best, played] = [reviewed.best, reviewed.played].map((move) => table.ui.moveText(move));
  const renderTag = (/** @type {string} */ id) => html`<i class="tag ${id}">${t(id)}</i> `;
  return reviewed.best.id === reviewed.played.id
    ? html`${renderTag("review-best")}${renderTag("review-played")}${best}`
    : html`${renderTag("review-best")}${best}<br>${renderTag("review-played")}${played}`;
}

/**
 * @param {string} id of its title @param {Parameters<typeof renderUiIcon>[0]} picture @param {() => void} action
 * @param {boolean} [isDisabled]
 */
const renderButton = (id, picture, action, isDisabled = false) =>
  html`<button class="icon-button ${id}" title=${t(id)} aria-label=${t(id)} ?disabled=${isDisabled}
      @click=${action}>${renderUiIcon(picture)}</button>`;

/** Render the choice of a viewpoint, once a game with hidden information is over. @param {Replay} replay */
function renderViewpointSelect(replay) {
  const { table, info } = replay;
  if ((replay.returnToGame && info.status !== "over") || !table?.about.hidden) return nothing;
  const label = (/** @type {Viewpoint} */ viewpoint) =>
    viewpoint === "all" ? t("replay-open") : t("replay-eyes", { name: table.ui.playerName(Number(viewpoint)) });
  return html`<select class="eyes" aria-label=${t("replay-seen-by")} title=${t("replay-seen-by")}
      ?disabled=${replay.isLoading} @change=${(/** @type {any} */ event) =>
        replay.setViewpoint(event.target.value === "all" ? "all" : Number(event.target.value))}>
    ${
      /** @type {Viewpoint[]} */ (["all", ...info.seats.map(({ seat }) => seat)]).map(
        (viewpoint) =>
          html`<option value=${viewpoint} ?selected=${viewpoint === replay.viewpoint}>${label(viewpoint)}</option>`,
      )
    }</select>`;
}

/** @param {Replay} replay */
async function shareMoment(replay) {
  const url = new URL(replay.getLink?.() ?? "", location.href).href;
  const field = document.createElement("input");
  field.value = url;
  field.readOnly = true;
  document.body.append(field);
  await copyToClipboard(url, field);
  field.remove();
}
