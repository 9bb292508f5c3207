/** Settings that take effect at once: language, colour scheme and speed. */
import { html, nothing } from "lit";
import { currentLanguage, animationScale, saveSetting, getSetting } from "../core/user-settings.js";
import { areSoundsOn } from "../core/game-sounds.js";
import { t } from "../core/i18n.js";

const LANGUAGE_NAMES = { en: "English", ja: "日本語" };
const LANGUAGE_LABEL = "Language / 言語";

/**
 * @param {string} label @param {[string, string][]} choices value and text @param {string} chosen
 * @param {(value: string) => void} choose @param {string} [help]
 */
export const renderChoice = (
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

/** Render the language choice, each language in its own name. */
export const renderLanguageChoice =
  () => html`<div class="choice languages" role="group" aria-label=${LANGUAGE_LABEL}><span>${LANGUAGE_LABEL}</span><div>
  ${Object.entries(LANGUAGE_NAMES).map(
    ([tag, name]) => html`<button lang=${tag} aria-pressed=${tag === currentLanguage()}
      @click=${() => saveSetting("language", tag)}>${name}</button>`,
  )}
  </div></div>`;

export const renderSchemeChoice = () =>
  renderChoice(
    t("scheme"),
    [
      ["", t("scheme-auto")],
      ["light", t("scheme-light")],
      ["dark", t("scheme-dark")],
    ],
    getSetting("scheme"),
    (value) => saveSetting("scheme", value),
  );

const renderSpeedChoice = () =>
  renderChoice(
    t("speed"),
    [
      ["slow", t("speed-slow")],
      ["normal", t("speed-normal")],
      ["fast", t("speed-fast")],
      ["none", t("speed-none")],
    ],
    getSetting("speed") || (animationScale() ? "normal" : "none"),
    (value) => saveSetting("speed", value),
  );

const renderSizeChoice = () =>
  renderChoice(
    t("size"),
    [
      ["", t("size-usual")],
      ["large", t("size-large")],
      ["larger", t("size-larger")],
    ],
    getSetting("size"),
    (value) => saveSetting("size", value),
  );

const renderSoundsChoice = () =>
  renderChoice(
    t("sounds"),
    [
      ["on", t("sounds-on")],
      ["off", t("sounds-off")],
    ],
    areSoundsOn() ? "on" : "off",
    (value) => saveSetting("sounds", value),
  );

const renderOddsChoice = () =>
  renderChoice(
    t("odds"),
    [
      ["", t("odds-shown")],
      ["hidden", t("odds-hidden")],
    ],
    getSetting("odds"),
    (value) => saveSetting("odds", value),
    t("odds-about"),
  );

const renderHintsChoice = () =>
  renderChoice(
    t("hints-where"),
    [
      ["", t("hints-device")],
      ["server", t("hints-server")],
    ],
    getSetting("hints"),
    (value) => saveSetting("hints", value),
    t("hints-about"),
  );

export const renderPreferences = () =>
  html`<div class="preferences">${renderLanguageChoice()}${renderSchemeChoice()}
    ${renderSizeChoice()}${renderSpeedChoice()}${renderSoundsChoice()}
    ${renderOddsChoice()}${renderHintsChoice()}</div>`;
