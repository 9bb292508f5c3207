/** JSON as Python reads and writes it: with whole numbers of any size, and a space after commas and colons. */

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WHOLE_NUMBER = /^-?\d+$/;

/**
 * Return the value of a JSON text, in which a BigInt stands for each whole number that `number` cannot hold. Throws
 * SyntaxError if the text is not JSON.
 * @param {string} text @returns {any}
 */
export function parseJson(text) {
  const tokens = text.match(TOKEN) ?? [];
  if (!tokens.some(isLargeNumber)) return JSON.parse(text);
  const strings = tokens.filter((token) => token.startsWith('"')).map((token) => JSON.parse(token));
  let mark = "whole number ";
  while (strings.some((string) => string.startsWith(mark))) mark += " ";
  const marked = text.replace(TOKEN, (token) => (isLargeNumber(token) ? JSON.stringify(mark + token) : token));
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** @param {string} token */
const isLargeNumber = (token) => WHOLE_NUMBER.test(token) && !Number.isSafeInteger(Number(token));

/** Return a value as JSON text. @param {any} value @returns {string} */
export function writeJson(value) {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(writeJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${writeJson(item)}`)
    .join(", ")}}`;
}
