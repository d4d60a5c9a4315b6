import { defineConfig } from '@playwright/test';
import { use } from './playwright.config.ts';

/** Pictures for the documentation: `npm run pictures` writes ../docs/screens/*.png. */
export default defineConfig<{ alone: boolean }>({
  testDir: 'e2e',
  testMatch: '**/*.pictures.ts',
  globalSetup: './e2e/sign-in.ts',
  workers: 1,
  timeout: 60_000,
  reporter: 'line',
  use: { ...use, trace: 'off', alone: true },
});
