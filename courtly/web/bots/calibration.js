/** The calibration of the chances that a search reports: see courtly/bots/search/probability_calibration.py. */

/**
 * Return the power for this number of players.
 * @param {{trust: Record<string, number>}} search the part of a game's description @param {number} players
 */
export const findTrust = ({ trust }, players) => trust[players] ?? 1;

/**
 * Return chances to win, each calibrated from its share of the simulated victories.
 * @param {number[]} shares @param {number} players @param {number} trust
 */
export const calibrateShares = (shares, players, trust) =>
  shares.map((share) => {
    if (!(share > 0 && share < 1)) return Math.min(Math.max(share, 0), 1);
    const odds = ((share * (players - 1)) / (1 - share)) ** trust / (players - 1);
    return odds / (1 + odds);
  });

/**
 * Return the shares after one seat's share is replaced; the other seats divide the rest in proportion.
 * @param {number[]} shares @param {number} seat @param {number} share
 */
export function replaceShare(shares, seat, share) {
  const others = shares.reduce((total, own) => total + own, 0) - shares[seat];
  return shares.map((own, other) =>
    other === seat ? share : (1 - share) * (others ? own / others : 1 / Math.max(1, shares.length - 1)),
  );
}
