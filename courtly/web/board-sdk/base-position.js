/** The base class of a game's position; each game adds names for its own things. */

/**
 * @typedef {import("../core/api-types.js").View} View
 * @typedef {import("./board-context.js").BoardContext} BoardContext
 */

export class BasePosition {
  /** @param {View} view @param {BoardContext} ui */
  constructor(view, ui) {
    this.view = view;
    this.ui = ui;
    /** The state, as far as the viewer may know it. */
    this.state = view.state;
    /** What the rules derive from it: see facts.py. */
    this.facts = /** @type {Record<string, any>} */ (view.facts);
    /** The viewer's seat; null for a spectator. */
    this.me = view.seat;
    /** Does the viewer have to decide? */
    this.canAct = view.legal.length > 0;
    this.over = view.over;
    /** The name of the phase. */
    this.phase = ui.fieldValueName("phase", this.state.phase);
    this.seats = Array.from({ length: /** @type {number} */ (this.state.players) }, (_, seat) => seat);
  }

  /** Return the names along an axis of a field. @param {string} field @param {number} [number] axis, from 0 */
  axisNames(field, number = 0) {
    return /** @type {string[]} */ (this.ui.about.fields[field].axes[number]);
  }
}
