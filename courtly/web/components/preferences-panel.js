/** Language, light and speed: choices that take effect at once. */
import { html, nothing } from "lit";
import { language, pace, set, setting } from "../core/user-settings.js";
import { t } from "../core/i18n.js";

const LANGUAGE_NAMES = { en: "English", ja: "日本語" };

/**
 * @param {string} label @param {[string, string][]} choices value and text @param {string} chosen
 * @param {(value: string) => void} choose @param {string} [help]
 */
export const choice = (
  label,
  choices,
  chosen,
  choose,
  help,
) => html`<div class="choice" role="group" aria-label=${label}><span>${label}</span>
  ${help ? html`<p class="help">${help}</p>` : nothing}
  <div>${choices.map(
    ([value, text]) => html`<button aria-pressed=${value === chosen} @click=${() => choose(value)}>${text}</button>`,
  )}</div></div>`;

/** The language switch alone, each language in its own words. */
export const languages = () => html`<div class="choice languages" role="group" aria-label="Language / 言語"><div>
  ${Object.entries(LANGUAGE_NAMES).map(
    ([tag, name]) => html`<button lang=${tag} aria-pressed=${tag === language()}
      @click=${() => set("language", tag)}>${name}</button>`,
  )}
  </div></div>`;

export const schemes = () =>
  choice(
    t("scheme"),
    [
      ["", t("scheme-auto")],
      ["light", t("scheme-light")],
      ["dark", t("scheme-dark")],
    ],
    setting("scheme"),
    (value) => set("scheme", value),
  );

const speeds = () =>
  choice(
    t("speed"),
    [
      ["slow", t("speed-slow")],
      ["normal", t("speed-normal")],
      ["fast", t("speed-fast")],
      ["none", t("speed-none")],
    ],
    setting("speed") || (pace() ? "normal" : "none"),
    (value) => set("speed", value),
  );

const sizes = () =>
  choice(
    t("size"),
    [
      ["", t("size-usual")],
      ["large", t("size-large")],
      ["larger", t("size-larger")],
    ],
    setting("size"),
    (value) => set("size", value),
  );

const odds = () =>
  choice(
    t("odds"),
    [
      ["", t("odds-shown")],
      ["hidden", t("odds-hidden")],
    ],
    setting("odds"),
    (value) => set("odds", value),
    t("odds-about"),
  );

export const preferences = () =>
  html`<div class="preferences">${languages()}${schemes()}${sizes()}${speeds()}${odds()}</div>`;
