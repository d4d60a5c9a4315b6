import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RETRY_MS, Background } from './background';

describe('background of a guest TV', () => {
  /** As much of a browser as it takes. */
  class Picture {
    src = '';
    alt = '';
    onload: (() => void) | null = null;
    onerror: (() => void) | null = null;
    constructor() {
      pictures.push(this);
    }
  }
  let pictures: Picture[] = [];
  let inside: Picture[] = [];
  beforeEach(() => {
    [pictures, inside] = [[], []];
    vi.stubGlobal('Image', Picture);
    vi.stubGlobal('document', {
      createElement: () => ({ replaceChildren: (...children: Picture[]) => void (inside = children) }),
    });
  });
  afterEach(() => vi.unstubAllGlobals());
  const shown = () => inside[0]?.src ?? null;

  it('is shown once it is loaded; the previous one stays until then', () => {
    const background = new Background();
    background.show('/a.webp');
    expect(shown()).toBeNull();
    pictures[0]!.onload!();
    expect(shown()).toBe('/a.webp');
    background.show('/a.webp');
    expect(pictures).toHaveLength(1);
    background.show('/b.webp');
    expect(shown()).toBe('/a.webp');
    pictures[1]!.onload!();
    expect(shown()).toBe('/b.webp');
    background.show(null);
    expect(shown()).toBeNull();
  });

  it('does without, and asks again after a while', () => {
    const background = new Background();
    background.show('/a.webp', 1_000);
    pictures[0]!.onerror!();
    background.show('/a.webp', 1_000 + RETRY_MS - 1);
    expect(pictures).toHaveLength(1);
    background.show('/a.webp', 1_000 + RETRY_MS);
    expect(pictures).toHaveLength(2);
    pictures[1]!.onload!();
    expect(shown()).toBe('/a.webp');
  });

  it('is not shown when another is wanted meanwhile', () => {
    const background = new Background();
    background.show('/a.webp');
    background.show(null);
    expect(pictures[0]!.onload).toBeNull();
    expect(shown()).toBeNull();
  });
});
