import { defineConfig } from '@playwright/test';
import { use } from './playwright.config.ts';

/** Pictures for the documentation: `npm run pictures` writes ../docs/screens/*.png. */
export default defineConfig<{ alone: boolean }>({
  testDir: 'e2e',
  testMatch: '**/*.pictures.ts',
  globalSetup: './e2e/sign-in.ts',
  workers: 1,
  // Where all looks are looked at, what is pictured is checked too.
  timeout: process.env.PULT_PICTURES ? 600_000 : 60_000,
  expect: { timeout: 15_000 },
  reporter: 'line',
  use: { ...use, trace: 'off', actionTimeout: 20_000, alone: true },
});
