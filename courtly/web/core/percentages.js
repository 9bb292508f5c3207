/** Chances as whole percents. Those shown together add up. */

/** Return the nearest whole number; of two, the even one. @param {number} number */
export function roundHalfToEven(number) {
  const below = Math.floor(number);
  const rest = number - below;
  return rest > 0.5 || (rest === 0.5 && below % 2) ? below + 1 : below;
}

/**
 * Return a margin of error beside a percentage: 0, which is not shown, beside 0 % and 100 %, where the chance cannot be
 * smaller or greater.
 * @param {number} percent @param {number} margin
 */
export const marginBeside = (percent, margin) => (percent > 0 && percent < 100 ? margin : 0);

/** @param {number} chance */
export const toPercent = (chance) => roundHalfToEven(100 * chance);

/**
 * Round numbers to whole ones with this sum. The remainder goes where the rounding error is largest.
 * @param {number[]} numbers @param {number} whole
 */
export function roundToTotal(numbers, whole) {
  const rounded = numbers.map(roundHalfToEven);
  for (let left = whole - rounded.reduce((sum, one) => sum + one, 0); left; left -= Math.sign(left)) {
    const errors = numbers.map((number, i) => Math.sign(left) * (number - rounded[i]));
    rounded[errors.indexOf(Math.max(...errors))] += Math.sign(left);
  }
  return rounded;
}

/**
 * Round the chances of all players or outcomes, or of some: the percents of all add up to 100, never to more.
 * @param {number[]} shares
 */
export function sharesToPercents(shares) {
  const sum = shares.reduce((total, share) => total + share, 0);
  const percents = shares.map((share) => (100 * share) / Math.max(1, sum));
  return roundToTotal(percents, Math.min(100, toPercent(sum)));
}
