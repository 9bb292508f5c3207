/** Statistics of a few numbers. */

/** @param {number[]} numbers */
export const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Return the variance of a sample. @param {number[]} numbers at least two @param {number} [center] their mean */
export const variance = (numbers, center = mean(numbers)) =>
  numbers.reduce((sum, number) => sum + (number - center) ** 2, 0) / (numbers.length - 1);

const FLOAT_ERROR_UNITS = 1e-6; // of the last digit; more than arithmetic with floating-point numbers changes

/**
 * Return a share or a difference of shares with this number of decimals; a half is rounded up, also one that is missed
 * by the inaccuracy of floating-point numbers.
 * @param {number} share @param {number} decimals
 */
export function roundShare(share, decimals) {
  const units = 10 ** decimals;
  return Math.floor(units * share + 0.5 + FLOAT_ERROR_UNITS) / units;
}
