/** Animations by verb. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit
 */

/** Count a seat's goods and points to their new values. @param {AnimationKit} kit @param {number} seat */
function animateCounts(kit, seat) {
  const before = kit.before?.state;
  const now = kit.view.state;
  if (!before) return;
  kit.timeline.root.querySelectorAll(`[data-key^="chip-${seat}-"]`).forEach((chip, i) => {
    if (before.goods[seat][i] !== now.goods[seat][i]) {
      const key = chip.getAttribute("data-key") ?? "";
      kit.countFrom(key.replace("chip", "goods"), before.goods[seat][i], 450);
      kit.highlight(key);
    }
  });
  if (before.points[seat] !== now.points[seat]) kit.countFrom(`points-${seat}`, before.points[seat], 450);
}

/** @param {Cue} cue @param {AnimationKit} kit */
const animateOwnCounts = ({ seat }, kit) => animateCounts(kit, seat);
/** @param {Cue} cue @param {AnimationKit} kit */
const animatePlayerCounts = ({ args }, kit) => animateCounts(kit, args?.player);

/** Return the key of the active servant. @param {AnimationKit} kit @param {number} seat */
const activeServantKey = (kit, seat) => `up-${seat}-${kit.view.state.up[seat][1] ? 1 : 0}`;

const CURTAIN_MS = 700;

/** Open the curtain before a servant, which comes down on its strings. @param {AnimationKit} kit @param {string} key */
function openCurtain(kit, key) {
  const servant = kit.element(key);
  for (const [i, side] of ["-102%", "102%"].entries())
    kit.animate(
      servant?.querySelectorAll(".drapes i")[i] ?? null,
      [{ transform: "none" }, { transform: "none", offset: 0.2 }, { transform: `translateX(${side}) scaleX(0.6)` }],
      CURTAIN_MS,
    );
  kit.animate(
    servant?.querySelector(".figure") ?? null,
    [
      { transform: "translateY(-22%) rotate(-5deg)" },
      { transform: "translateY(2%) rotate(3deg)", offset: 0.7 },
      { transform: "none" },
    ],
    CURTAIN_MS,
  );
}

/** Move a mark from its player to the named one. @param {Cue} cue @param {AnimationKit} kit */
function animateMark({ seat, verb }, kit) {
  kit.moveFrom(`mark-${verb}`, `seat-${seat}`, 600);
  kit.highlight(`mark-${verb}`, 900);
}

/** @type {Record<string, (cue: Cue, kit: AnimationKit) => void>} */
export const cues = {
  parent: ({ args }, kit) => kit.highlight(`seat-${args?.player}`, 1200),
  deal: ({ args }, kit) => kit.fadeIn(`hand-${args?.servant}`),
  keep: ({ seat, args }, kit) => kit.moveFrom(`down-${seat}-${args?.servant}`, `hand-${args?.servant}`),
  reveal({ seat }, kit) {
    openCurtain(kit, activeServantKey(kit, seat));
    kit.delay(CURTAIN_MS / 2);
  },
  killed: ({ args }, kit) =>
    kit.animate(
      activeServantKey(kit, args?.player),
      [{ transform: "none" }, { transform: "translateY(14px) rotate(7deg)", offset: 0.4 }, { transform: "none" }],
      700,
    ),
  stolen: ({ args }, kit) =>
    kit.animate(
      activeServantKey(kit, args?.player),
      [{ transform: "none" }, { transform: "translateY(-16px)", offset: 0.4 }, { transform: "none" }],
      700,
    ),
  missed: ({ args }, kit) => kit.highlight(activeServantKey(kit, args?.player)),
  kill: animateMark,
  steal: animateMark,
  gain: animateOwnCounts,
  take: animateOwnCounts,
  offer: animateOwnCounts,
  buy: animateOwnCounts,
  rob({ seat, args }, kit) {
    kit.moveFrom(`chip-${seat}-${args?.good}`, `chip-${kit.view.state.parent}-${args?.good}`, 500);
    animateCounts(kit, seat);
    animateCounts(kit, kit.view.state.parent);
  },
  lead: ({ seat }, kit) => kit.highlight(`seat-${seat}`, 900),
  event(_, kit) {
    kit.moveFrom("event", "event-pile", 600);
    kit.delay(400);
  },
  build: ({ args }, kit) => kit.fadeIn(`building-${args?.building}`),
  reward: animatePlayerCounts,
  paid: animatePlayerCounts,
  lost: animatePlayerCounts,
};
