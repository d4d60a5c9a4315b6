/** Time until a failed picture is requested again. */
export const RETRY_MS = 5 * 60_000;

/**
 * The picture behind the numbers. It is shown once it has come whole: until then, and where it never comes,
 * there is what was there before, at first the colour alone. Lost connections do not matter to a picture that
 * is there.
 */
export class Background {
  readonly element: HTMLElement;
  private wanted: string | null = null;
  private coming: HTMLImageElement | undefined;
  private failed = 0;

  constructor() {
    this.element = document.createElement('div');
    this.element.className = 'tv-background';
    this.element.ariaHidden = 'true';
  }

  show(address: string | null, now = Date.now()): void {
    if (address === this.wanted && (this.failed === 0 || now - this.failed < RETRY_MS)) return;
    this.wanted = address;
    this.failed = 0;
    if (this.coming) this.coming.onload = this.coming.onerror = null;
    this.coming = undefined;
    if (address === null) return this.element.replaceChildren();
    const image = new Image();
    this.coming = image;
    image.alt = '';
    image.onload = () => this.element.replaceChildren(image);
    image.onerror = () => {
      this.failed = now;
    };
    image.src = address;
  }
}
