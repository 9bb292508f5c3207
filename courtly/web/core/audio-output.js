/** The page's audio output. */

/** @type {AudioContext | undefined} */
let audioContext;

/** Return the audio output; null before the first user interaction, until which browsers block sound. */
export function openAudio() {
  if (!navigator.userActivation?.hasBeenActive || !("AudioContext" in window)) return null;
  audioContext ??= new AudioContext();
  audioContext.resume();
  return audioContext;
}
