/** What keys stand for, whatever alphabet they write. */

/** @type {Record<string, [string, string]>} by place, without and with Shift */
const CHARACTERS_BY_CODE = { Slash: ["/", "?"], Equal: ["=", "+"], Minus: ["-", "_"] };

/**
 * The letter or sign of a key, in lower case; "" where it has none. In another alphabet, and while an input method or a
 * dead key is on, it follows from the key's place.
 * @param {KeyboardEvent} event
 */
export function keyCharacter({ key, code, shiftKey }) {
  const sign = key.normalize("NFKC").toLowerCase(); // full width, or Caps Lock
  if (/^[!-~]$/.test(sign)) return sign;
  if (code in CHARACTERS_BY_CODE) return CHARACTERS_BY_CODE[code][Number(shiftKey)];
  return /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1].toLowerCase() ?? "";
}
