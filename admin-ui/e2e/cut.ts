import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** The live connection of a page in the test's hand. Before the first address is opened. */
export async function cuttable(page: Page) {
  let cut = false;
  const urls: string[] = [];
  const open = new Set<() => Promise<void>>();
  await page.routeWebSocket(/fresh-orders/, (socket) => {
    urls.push(socket.url());
    if (cut) return void socket.close({ code: 1012 });
    const server = socket.connectToServer();
    open.add(async () => {
      await socket.close({ code: 1012 });
      await server.close();
    });
    server.onMessage((message) => socket.send(message));
  });
  const state = (name: string) =>
    expect(page.locator('.live')).toHaveAttribute('data-state', name, { timeout: 15_000 });
  return {
    /** Where it was opened, each time. */
    urls,
    live: () => state('live'),
    async cut(): Promise<void> {
      cut = true;
      for (const end of open) await end();
      open.clear();
      await state('reconnecting');
    },
    async mend(): Promise<void> {
      cut = false;
      await state('live');
    },
  };
}
