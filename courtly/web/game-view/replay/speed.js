/** How fast a game is played back. */
export const REPLAY_SPEEDS = [0.5, 1, 2, 4];
