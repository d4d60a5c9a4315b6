import { afterEach, vi } from 'vitest';
import { cleanup, configure } from '@testing-library/react';

// A busy machine needs longer than a second for what waits itself for half a second.
configure({ asyncUtilTimeout: 4000 });

// Files share a world: what one of them has mocked must not stay in modules that the next one uses.
vi.resetModules();
const { registerScreens } = await import('./features/registry');
registerScreens();

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
