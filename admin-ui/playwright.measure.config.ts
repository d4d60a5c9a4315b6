import { defineConfig } from '@playwright/test';
import { use } from './playwright.config.ts';

/**
 * Times with many rows: `npm run measure`, against an installation whose data may be thrown away (README).
 */
export default defineConfig<{ alone: boolean }>({
  testDir: 'e2e',
  testMatch: '**/*.measure.ts',
  globalSetup: './e2e/sign-in.ts',
  workers: 1,
  timeout: 900_000,
  reporter: 'line',
  use: { ...use, trace: 'off', alone: true },
});
