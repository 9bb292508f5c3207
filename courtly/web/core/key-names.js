/** The characters of keys, independent of the keyboard's alphabet. */

/** @type {Record<string, [string, string]>} by key code: without and with Shift */
const CHARACTERS_BY_CODE = { Slash: ["/", "?"], Equal: ["=", "+"], Minus: ["-", "_"] };

/**
 * Return the character of a key in lower case, or "" if it has none. If the keyboard writes another alphabet, or an
 * input method or a dead key is active, it is derived from the key's position.
 * @param {KeyboardEvent} event
 */
export function keyCharacter({ key, code, shiftKey }) {
  const sign = key.normalize("NFKC").toLowerCase(); // full-width characters, Caps Lock
  if (/^[!-~]$/.test(sign)) return sign;
  if (code in CHARACTERS_BY_CODE) return CHARACTERS_BY_CODE[code][Number(shiftKey)];
  return /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1].toLowerCase() ?? "";
}
