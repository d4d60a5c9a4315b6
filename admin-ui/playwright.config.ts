import { defineConfig } from '@playwright/test';

/**
 * Tests run against a service with the demo partner (`cargo xtask up`): PULT_E2E_URL says where. The browser
 * is the system's chromium; nothing is downloaded.
 */
export const use = {
  baseURL: process.env.PULT_E2E_URL ?? 'http://localhost:8080',
  locale: 'hu-HU',
  timezoneId: 'Europe/Budapest',
  // It would answer in the place of what a test puts between; its own tests allow it.
  serviceWorkers: 'block' as const,
  // A trace of each test costs more than many a test: the second try of a failed one has it.
  trace: 'on-first-retry' as const,
  contextOptions: { reducedMotion: 'reduce' as const },
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // What a page throws away is collected in larger lots: a tenth less of the processors.
      '--js-flags=--max-semi-space-size=64',
    ],
  },
};

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // The others run each night, and when their file is run.
  ...(process.env.PULT_E2E_SHORT && { grepInvert: /@nightly/ }),
  globalSetup: './e2e/sign-in.ts',
  fullyParallel: true,
  workers: 3,
  // A machine of two cores runs three windows: what is slow there is not wrong.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  retries: 1,
  // Where nobody watches, what failed stands whole at the end of the output.
  reporter: [[process.stdout.isTTY ? 'line' : 'dot'], ['./e2e/second-tries.ts']],
  use,
});
