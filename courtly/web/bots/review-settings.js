/** What decides, besides the game, what its review contains. */

export const REVIEW_FORMAT = 2; // of the JSON
export const SIMULATIONS = 800; // of each move on a device, as many as a server makes by default
