import { afterEach, vi } from 'vitest';
import { cleanup } from '@testing-library/react';
import { registerScreens } from './features/registry';

registerScreens();

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
