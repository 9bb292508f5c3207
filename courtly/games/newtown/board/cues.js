/** Animations by verb. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit
 */

/** Return the names along an axis of a field. @param {AnimationKit} kit @param {string} field @param {number} number */
const axisNames = (kit, field, number) => /** @type {string[]} */ (kit.about.fields[field].axes[number]);

/** Show the newest house, and count up the scores. @param {AnimationKit} kit */
function animateHouse(kit) {
  const { view, before } = kit;
  const id = view.state.house;
  if (!before || (before.state.stages[id] === view.state.stages[id] && before.state.owner[id] === view.state.owner[id]))
    return;
  kit.animate(
    `house-${id}`,
    [
      { opacity: 0, translate: "0 -60px" },
      { opacity: 1, translate: "0 0", offset: 0.7 },
      { translate: "0 -5px", offset: 0.85 },
      { translate: "0 0" },
    ],
    800,
  );
  kit.highlight("latest", 900);
  animateScores(kit);
  kit.delay(300);
}

/** @param {AnimationKit} kit */
function animateScores(kit) {
  for (let seat = 0; seat < kit.view.state.players; seat++) {
    const was = kit.before?.state.score[seat] ?? 0;
    if (was !== kit.view.state.score[seat]) kit.countFrom(`points-${seat}`, was);
  }
}

/** @type {Record<string, (cue: Cue, kit: AnimationKit) => void>} */
export const cues = {
  starter: ({ args }, kit) => kit.highlight(`seat-${args?.player}`, 1400),
  die: ({ args }, kit) => kit.roll(`die-${args?.die}`),
  go: ({ seat, args }, kit) =>
    kit.highlight(`land-${axisNames(kit, "tree", 0).indexOf(args?.land)}`, seat >= 0 ? 900 : 0),
  arrive: ({ args }, kit) => kit.highlight(`land-${axisNames(kit, "tree", 0).indexOf(args?.land)}`, 500),
  settle: ({ args }, kit) => kit.highlight(`land-${kit.view.state.land_at[(args?.place ?? 1) - 1]}`, 700),
  block: ({ seat, args }, kit) => {
    const was = kit.before?.state.coloured[seat][axisNames(kit, "coloured", 1).indexOf(args?.die)];
    const held = kit.view.state.blocks[seat][was - 1];
    kit.moveFrom(`block-${seat}-${was}-${held - 1}`, `die-${args?.die}`, 500);
  },
  gem: ({ seat }, kit) => kit.highlight(`gems-${seat}`, 900),
  take: ({ seat, args }, kit) => kit.moveFrom(`card-${args?.card}`, `seat-${seat}`, 500),
  land_card: ({ args }, kit) => kit.fadeIn(`card-${args?.card}`),
  resident: ({ args }, kit) => kit.fadeIn(`resident-${args?.resident}`),
  welcome: ({ seat, args }, kit) => {
    if (!kit.element(`resident-${args?.resident}`)) kit.highlight(`seat-${seat}`);
  },
  build: (_, kit) => animateHouse(kit),
  extend: (_, kit) => animateHouse(kit),
  take_over: (_, kit) => animateHouse(kit),
  inherit: ({ seat }, kit) => {
    kit.highlight(`seat-${seat}`, 900);
    kit.moveFrom("handed", `seat-${kit.view.state.taken_from - 1}`, 700);
    kit.delay(1500);
  },
  draft: ({ seat, args }, kit) => {
    const c = axisNames(kit, "pool", 0).indexOf(args?.colour);
    const nth = args?.colour === "white" ? kit.view.state.white[seat].filter(Boolean).length - 1 : 0;
    kit.moveFrom(`drafted-${seat}-${args?.colour}-${nth}`, `pool-${c}-${args?.face - 1}-0`);
  },
  lay: (_, kit) => animateHouse(kit),
  gift: ({ args }, kit) => kit.highlight(`resident-${args?.resident}`, 1200),
  end: (_, kit) => animateScores(kit),
  close: (_, kit) => animateScores(kit),
};
