import { afterEach, vi } from 'vitest';
import { cleanup } from '@testing-library/react';

// Files share a world: what one of them has mocked must not stay in modules that the next one uses.
vi.resetModules();
const { registerScreens } = await import('./features/registry');
registerScreens();

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
