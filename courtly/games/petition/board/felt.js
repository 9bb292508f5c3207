/** The felt: dice in play, dice kept in their tray, and what goes with them. */
import { html, nothing, repeat } from "lit";
import { die, picture } from "../../../web/board-sdk/die.js";
import { letter } from "../../../web/core/key-names.js";
import { setting } from "../../../web/core/user-settings.js";
import { unseen } from "../../../web/components/visually-hidden.js";
import { claims, hand } from "./hand.js";
import { faces, FACES } from "./position.js";
import { halfUsed, most, pickable } from "./powers.js";
import { buttons, choosing, leavePower } from "./turn.js";

/** @typedef {import("./position.js").Position} Position */

/** @param {Position} p */
export function felt(p) {
  if (p.over || p.phase === "starting") return html`<section class="felt bare"></section>`;
  return html`<section class="felt" aria-label=${p.ui.t(`petition-phase-${halfUsed(p) ? "power" : p.phase}`)}>
    ${heading(p)}${
      p.phase === "claiming" && p.mine ? claims(p) : active(p)
    }${buttons(p)}${tray(p)}${hand(p)}</section>`;
}

/** Round, who began it, what the dice add up to. @param {Position} p */
function heading(p) {
  const { ui, s } = p;
  const { sum } = p.facts;
  const { best } = p;
  const worth =
    p.final && best
      ? html`${ui.labelled(ui.t("petition-best"))}${picture(best.face, "small")} × ${best.count}`
      : ui.t("petition-sum", { n: sum });
  return html`<p class="heading ${p.crowned ? "crowned" : ""}"><b>${p.roundText}</b>
    <span class="starter">${ui.labelled(ui.t("petition-start-player"))}${ui.shield(s.start, "tiny")}
    ${ui.name(s.start)}</span>
    ${
      p.crowned
        ? html`<span class="goal">${ui.labelled(ui.t("petition-mark"))}${picture(s.mark[1], "small")} ×
          ${s.mark[0]}</span>`
        : nothing
    }
    ${sum ? html`<span class="sum">${worth}</span>` : nothing}</p>`;
}

/** Each die of a list of faces with its key: face and number among its equals. @param {number[]} list */
const keyed = (list) => list.map((face, i) => ({ face, key: `${face}-${i - list.indexOf(face)}` }));

/** @param {number} n */
const size = (n) => (n > 14 ? "tiny" : n > 8 ? "small" : n > 6 ? "less" : "");

/** @param {Position} p */
function active(p) {
  const { ui, s } = p;
  const { power, chosen } = choosing(p);
  const list = faces(s.active);
  const taken = faces(s.taken);
  const waiting = Array.from(
    { length: s.rolling },
    (_, i) => html`<span class="slot" data-key="hand-${i}">${die(0, "waiting")}</span>`,
  );
  const added = power === "queen" && chosen?.to;
  return html`<div class="zone active"><h2>${
    s.rolling ? ui.t("petition-rolling", { n: s.rolling }) : ui.t("petition-active")
  }</h2>
    <div class="dice ${size(list.length + s.rolling + taken.length)}" role="group"
        aria-label=${ui.t("petition-active")}>
      ${repeat(
        keyed(list),
        ({ key }) => key,
        ({ face, key }) => activeDie(p, face, key),
      )}${waiting}
      ${
        added
          ? html`<span class="slot">${die(added[0], "changed")}<i class="badge plus"
            aria-hidden="true"></i></span>`
          : nothing
      }
      ${
        taken.length
          ? html`<span class="taken"><small>${ui.t("petition-taken")}</small>${taken.map((face) => die(face))}</span>`
          : nothing
      }
    </div></div>`;
}

/** @param {Position} p @param {number} face @param {string} key */
function activeDie(p, face, key) {
  const { ui } = p;
  const { power, keys, picked, chosen } = choosing(p);
  const nth = keys.indexOf(key);
  const is = nth >= 0;
  const rest = keys.filter((other) => other !== key);
  const limit = power ? most(p, power) : 99;
  const instead = limit === 1 ? [] : rest; // where one die is wanted, another takes its place
  const others = instead.map((other) => Number(other[0]));
  const free = power ? limit > others.length && pickable(p, power, others, face) : ui.can("keep", { face }).length > 0;
  const rolled = is && chosen?.to === null;
  const to = is && chosen?.to?.length === picked.length ? chosen.to[nth] : face;
  const drawn = rolled
    ? html`${die(face, "again")}<i class="badge again" aria-hidden="true"></i>`
    : to === face
      ? die(face)
      : html`${die(to, "changed")}<i class="badge" aria-hidden="true">${picture(face, "small")}</i>`;
  const said = to === face ? ui.t("petition-die", { face }) : ui.t("petition-die-becomes", { face, to });
  if (!is && !free) return html`<span class="slot" data-key="active-${key}">${drawn}${unseen(said)}</span>`;
  return html`<button class="slot ${is ? "picked" : ""}" data-key="active-${key}" aria-pressed=${is} aria-label=${said}
    @click=${() => ui.set({ picked: is ? rest : [...instead, key], choice: null })}>${drawn}</button>`;
}

/**
 * Keys 1 to 6 pick a die with that face, Escape closes what is shown of a character, or leaves the one in use.
 * @param {Position} p
 */
export const keyboard = (p) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Escape" && p.ui.local.detail) p.ui.set({ detail: null });
  else if (event.key === "Escape" && p.ui.local.power) leavePower(p);
  const face = Number(letter(event));
  if (!FACES.includes(face) || setting("keys") === "off") return;
  const board = /** @type {Element} */ (event.currentTarget);
  /** @type {HTMLElement | null} */ (board.querySelector(`button[data-key^="active-${face}-"]:not(.picked)`))?.click();
};

/** Dice kept. @param {Position} p */
function tray(p) {
  const { ui } = p;
  const list = faces(p.s.aside);
  const said = ui.labelled(ui.t("petition-aside"), list.join(" ") || ui.t("petition-none"));
  return html`<div class="zone tray"><h2>${ui.t("petition-aside")}</h2>
    <div class="dice ${size(list.length + 2)}" role="group" aria-label=${said}>
      ${keyed(list).map(
        ({ face, key }) => html`<span class="slot"
          data-key="aside-${key}">${die(face, "kept")}</span>`,
      )}</div></div>`;
}
