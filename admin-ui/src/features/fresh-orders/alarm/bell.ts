import { Store } from '../../../lib/events';

/** `blocked`: the browser wants a click, key or touch first. */
export type BellState = 'silent' | 'blocked' | 'ready';

/** A struck bell: partials of the base tone with their loudness and how long they last (seconds). */
const PARTIALS = [
  { ratio: 1, gain: 1, decay: 1.5 },
  { ratio: 2, gain: 0.5, decay: 0.9 },
  { ratio: 3.01, gain: 0.22, decay: 0.5 },
  { ratio: 4.2, gain: 0.1, decay: 0.25 },
];
/** Two tones, a major third down, twice: heard over a kitchen, not a siren. Hz and seconds. */
const STRIKES = [
  { tone: 1318.5, at: 0 },
  { tone: 1046.5, at: 0.28 },
  { tone: 1318.5, at: 1 },
  { tone: 1046.5, at: 1.28 },
];
const STARTING_MS = 250;
/**
 * Opening the sound device blocks a page for longer than drawing it: it waits until that is done, at most so
 * long.
 */
const IDLE_MS = 3000;
/** Not pointerdown: what the sound changes on the page must not move a button between press and release. */
const GESTURES = ['click', 'keydown'] as const;

/**
 * The order bell, made with Web Audio: no file to load, so it rings also when the network is gone. One per
 * page.
 */
class Bell {
  readonly state = new Store<BellState>('silent');
  #started = false;
  #context: AudioContext | undefined;
  #out: GainNode | undefined;

  /**
   * Asks the browser whether it may sound, and goes on asking with each gesture. Made before any gesture on
   * purpose: only so a tablet that reloaded by itself at night rings where the browser allows it.
   */
  start(): void {
    if (this.#started || typeof AudioContext === 'undefined') return;
    this.#started = true;
    for (const gesture of GESTURES)
      addEventListener(gesture, () => void this.unlock(), { capture: true, passive: true });
    // Phones interrupt the sound for calls and sleep.
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && this.state.get() === 'blocked' && void this.unlock(),
    );
    if ('requestIdleCallback' in window) requestIdleCallback(() => this.#open(), { timeout: IDLE_MS });
    else setTimeout(() => this.#open(), STARTING_MS);
  }

  #open(): void {
    if (this.#context) return;
    const context = new AudioContext();
    this.#context = context;
    this.#out = context.createGain();
    // Keeps four partials and two strikes from clipping on small loudspeakers.
    this.#out.connect(context.createDynamicsCompressor()).connect(context.destination);
    const look = () => this.state.set(context.state === 'running' ? 'ready' : 'blocked');
    context.addEventListener('statechange', look);
    // Where it is allowed, a new context still takes a moment to run: no strip that flashes.
    if (context.state === 'running') look();
    else setTimeout(look, STARTING_MS);
  }

  /** To be called from a click. Resolves true when sound is possible. */
  async unlock(): Promise<boolean> {
    this.start();
    if (this.#started) this.#open();
    if (this.#context && this.#context.state !== 'running')
      await this.#context.resume().catch(() => undefined);
    return this.#context?.state === 'running';
  }

  /** @param volume 0 to 1 */
  ring(volume: number): void {
    const [context, out] = [this.#context, this.#out];
    if (!context || !out || context.state !== 'running') return;
    // Loudness is felt as the square.
    out.gain.value = volume * volume;
    for (const { tone, at } of STRIKES) this.#strike(context, out, tone, context.currentTime + 0.02 + at);
  }

  #strike(context: AudioContext, out: GainNode, tone: number, start: number): void {
    for (const { ratio, gain, decay } of PARTIALS) {
      const oscillator = context.createOscillator();
      const envelope = context.createGain();
      oscillator.frequency.value = tone * ratio;
      envelope.gain.setValueAtTime(0, start);
      envelope.gain.linearRampToValueAtTime(gain * 0.5, start + 0.008);
      envelope.gain.exponentialRampToValueAtTime(0.0001, start + decay);
      oscillator.connect(envelope).connect(out);
      oscillator.start(start);
      oscillator.stop(start + decay + 0.05);
    }
  }
}

export const bell = new Bell();
