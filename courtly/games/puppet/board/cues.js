/** What moves when something happens. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/animation.js").Kit} Kit
 */

/** A seat's goods and points count to what they are now. @param {Kit} kit @param {number} seat */
function settle(kit, seat) {
  const before = kit.before?.state;
  const now = kit.view.state;
  if (!before) return;
  kit.stage.root.querySelectorAll(`[data-key^="chip-${seat}-"]`).forEach((chip, i) => {
    if (before.goods[seat][i] !== now.goods[seat][i]) {
      const key = chip.getAttribute("data-key") ?? "";
      kit.count(key.replace("chip", "goods"), before.goods[seat][i], 450);
      kit.glow(key);
    }
  });
  if (before.points[seat] !== now.points[seat]) kit.count(`points-${seat}`, before.points[seat], 450);
}

/** @param {Cue} cue @param {Kit} kit */
const settled = ({ seat }, kit) => settle(kit, seat);
/** @param {Cue} cue @param {Kit} kit */
const player = ({ args }, kit) => settle(kit, args?.player);

/** The servant whose turn it is. @param {Kit} kit @param {number} seat */
const turned = (kit, seat) => `up-${seat}-${kit.view.state.up[seat][1] ? 1 : 0}`;

/** A mark flies from its player to the one it names. @param {Cue} cue @param {Kit} kit */
function marked({ seat, verb }, kit) {
  kit.travel(`mark-${verb}`, `seat-${seat}`, 600);
  kit.glow(`mark-${verb}`, 900);
}

/** @type {Record<string, (cue: Cue, kit: Kit) => void>} */
export const cues = {
  parent: ({ args }, kit) => kit.glow(`seat-${args?.player}`, 1200),
  deal: ({ args }, kit) => kit.appear(`hand-${args?.servant}`),
  keep: ({ seat, args }, kit) => kit.travel(`down-${seat}-${args?.servant}`, `hand-${args?.servant}`),
  reveal({ seat }, kit) {
    kit.animate(
      turned(kit, seat),
      [{ transform: "rotateY(90deg)" }, { transform: "rotateY(-12deg)", offset: 0.7 }, { transform: "none" }],
      500,
    );
    kit.wait(250);
  },
  killed: ({ args }, kit) =>
    kit.animate(
      turned(kit, args?.player),
      [{ transform: "none" }, { transform: "translateY(14px) rotate(7deg)", offset: 0.4 }, { transform: "none" }],
      700,
    ),
  stolen: ({ args }, kit) =>
    kit.animate(
      turned(kit, args?.player),
      [{ transform: "none" }, { transform: "translateY(-16px)", offset: 0.4 }, { transform: "none" }],
      700,
    ),
  missed: ({ args }, kit) => kit.glow(turned(kit, args?.player)),
  kill: marked,
  steal: marked,
  gain: settled,
  take: settled,
  offer: settled,
  buy: settled,
  rob({ seat, args }, kit) {
    kit.travel(`chip-${seat}-${args?.good}`, `chip-${kit.view.state.parent}-${args?.good}`, 500);
    settle(kit, seat);
    settle(kit, kit.view.state.parent);
  },
  lead: ({ seat }, kit) => kit.glow(`seat-${seat}`, 900),
  event(_, kit) {
    kit.travel("event", "event-pile", 600);
    kit.wait(400);
  },
  build: ({ args }, kit) => kit.appear(`building-${args?.building}`),
  reward: player,
  paid: player,
  lost: player,
};
