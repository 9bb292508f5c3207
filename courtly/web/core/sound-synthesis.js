/** Synthesizes the short sounds of the board. */
import { openAudio } from "./audio-output.js";

/** @typedef {import("./game-sounds.js").SoundName} SoundName */

const VOLUME = 0.5; // of all sounds, which are quiet in themselves
const NOISE_S = 0.3; // length of the noise that dice and cards are cut from

/** @type {AudioBuffer | undefined} */
let noise;

/** @param {AudioContext} audio */
function makeNoise(audio) {
  const buffer = new AudioBuffer({ length: audio.sampleRate * NOISE_S, sampleRate: audio.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

/**
 * Return a volume that rises at once and fades.
 * @param {AudioContext} audio @param {number} at s @param {number} loudness @param {number} lengthS
 * @param {number} [attackS]
 */
function fadeOut(audio, at, loudness, lengthS, attackS = 0.005) {
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(loudness * VOLUME, at + attackS);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + lengthS);
  volume.connect(audio.destination);
  return volume;
}

/**
 * @param {AudioContext} audio @param {number} at s @param {number} frequency Hz @param {number} loudness
 * @param {number} lengthS @param {OscillatorType} [type]
 */
function playTone(audio, at, frequency, loudness, lengthS, type = "sine") {
  const tone = new OscillatorNode(audio, { frequency, type });
  tone.connect(fadeOut(audio, at, loudness, lengthS));
  tone.start(at);
  tone.stop(at + lengthS);
}

/**
 * Play noise around a frequency.
 * @param {AudioContext} audio @param {number} at s @param {number} frequency Hz @param {number} loudness
 * @param {number} lengthS @param {number} [attackS]
 */
function playNoise(audio, at, frequency, loudness, lengthS, attackS) {
  noise ??= makeNoise(audio);
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency, Q: 1.2 });
  source.connect(filter).connect(fadeOut(audio, at, loudness, lengthS, attackS));
  source.start(at);
  source.stop(at + lengthS);
}

const FANFARE_NOTES = [
  [392, 0, 0.16],
  [523.25, 0.16, 0.16],
  [659.25, 0.32, 0.16],
  [783.99, 0.48, 0.7],
  [523.25, 0.48, 0.7],
]; // [Hz, start in s, length in s]

/** @type {Record<SoundName, (audio: AudioContext, at: number) => void>} */
const SOUNDS = {
  dice: (audio, at) => {
    for (const [after, loudness] of [
      [0, 0.5],
      [0.09, 0.4],
      [0.16, 0.3],
      [0.26, 0.25],
      [0.33, 0.15],
    ])
      playNoise(audio, at + after, 1700 + 900 * Math.random(), loudness, 0.05);
  },
  card: (audio, at) => playNoise(audio, at, 3200, 0.22, 0.14, 0.05),
  coin: (audio, at) => {
    playTone(audio, at, 2093, 0.1, 0.35);
    playTone(audio, at + 0.07, 3136, 0.08, 0.4);
  },
  fanfare: (audio, at) => {
    for (const [frequency, after, lengthS] of FANFARE_NOTES) {
      playTone(audio, at + after, frequency, 0.13, lengthS, "triangle");
      playTone(audio, at + after, 2 * frequency, 0.03, lengthS);
    }
  },
};

/** Play a sound now. @param {SoundName} name */
export function synthesize(name) {
  const audio = openAudio();
  if (audio) SOUNDS[name](audio, audio.currentTime);
}
