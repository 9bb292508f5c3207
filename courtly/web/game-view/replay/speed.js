/** The speeds of a replay. */
export const REPLAY_SPEEDS = [0.5, 1, 2, 4];
