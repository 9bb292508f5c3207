/** Places the tooltip of a land beside it, so that it covers no part of the land. */
import { isSmallScreen } from "../../../web/core/user-settings.js";

const GAP_PX = 8;

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.max(least, Math.min(value, most));

/**
 * Return the tooltip's possible places in the room, first the preferred ones.
 * @param {Box} land @param {Box} room @param {number} width @param {number} height
 */
function listPlaces(land, room, width, height) {
  const left = clamp((land.left + land.right - width) / 2, room.left, room.right - width);
  const top = clamp((land.top + land.bottom - height) / 2, room.top, room.bottom - height);
  const beside = [
    { left: land.right + GAP_PX, top },
    { left: land.left - GAP_PX - width, top },
  ];
  if (land.left + land.right > room.left + room.right) beside.reverse();
  const places = [
    ...(isSmallScreen() ? [] : beside), // there the tooltip is as wide as the screen
    { left, top: land.top - GAP_PX - height },
    { left, top: land.bottom + GAP_PX },
  ];
  return places.filter(
    (place) =>
      place.left >= room.left &&
      place.top >= room.top &&
      place.left + width <= room.right &&
      place.top + height <= room.bottom,
  );
}

/** @param {DOMRect} box */
const shrink = ({ left, top, right, bottom }) => ({
  left: left + GAP_PX,
  top: top + GAP_PX,
  right: right - GAP_PX,
  bottom: bottom - GAP_PX,
});

/** @param {Box} a @param {Box} b */
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * Move the tooltip beside its land: within the town, or else over the cards below it, or within the window. On a small
 * screen it is moved only if it covers the land, and keeps its width.
 * @param {HTMLElement} tooltip @param {string} key of the land
 */
export function placeBeside(tooltip, key) {
  const town = tooltip.closest(".town");
  const land = town?.querySelector(`[data-key="${key}"]`)?.getBoundingClientRect();
  tooltip.style.inset = "";
  const box = tooltip.getBoundingClientRect();
  const small = isSmallScreen();
  if (!town || !land || !box.width || (small && !overlap(land, box))) return;
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  const screen = shrink(new DOMRect(0, bar, innerWidth, innerHeight - bar));
  const around = shrink(town.getBoundingClientRect());
  const rooms = small ? [screen] : [around, { ...around, bottom: screen.bottom }, screen];
  const [place] = rooms.flatMap((room) => listPlaces(land, room, box.width, box.height));
  if (!place) return;
  const zoom = box.width / tooltip.offsetWidth;
  if (small) {
    tooltip.style.top = `${place.top / zoom}px`; // it is fixed
  } else {
    const { left, top } = town.getBoundingClientRect();
    tooltip.style.inset = `${(place.top - top) / zoom}px auto auto ${(place.left - left) / zoom}px`;
  }
}
