/** Two soft notes. A browser is mute until somebody touches it, unless the kiosk it runs in allows sound. */
export class Chime {
  private context: AudioContext | undefined;

  get muted(): boolean {
    this.context ??= new AudioContext();
    return this.context.state !== 'running';
  }

  async unlock(): Promise<void> {
    this.context ??= new AudioContext();
    await this.context.resume();
  }

  play(): void {
    if (this.muted || !this.context) return;
    const { context } = this;
    for (const [at, frequency] of [
      [0, 659.25],
      [0.28, 880],
    ] as const) {
      const begin = context.currentTime + at;
      const note = context.createOscillator();
      const volume = context.createGain();
      note.frequency.value = frequency;
      volume.gain.setValueAtTime(0, begin);
      volume.gain.linearRampToValueAtTime(0.35, begin + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + 1.4);
      note.connect(volume).connect(context.destination);
      note.start(begin);
      note.stop(begin + 1.5);
    }
  }
}
