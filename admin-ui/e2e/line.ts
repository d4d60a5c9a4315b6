import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { type Role, SERVICE, stateFile } from './sign-in.ts';

/**
 * A line between browser and service in the test's hand: a proxy that passes bytes on, swallows them in both
 * directions without closing anything, or lets nobody through. The browser speaks of the same addresses as
 * without it.
 */
export class Line {
  #server = createServer((near) => this.#join(near));
  #pairs = new Set<[Socket, Socket]>();
  #state: 'open' | 'dead' | 'cut' = 'open';
  /** Requests since the connection was cut or went dead. */
  swallowed = 0;

  async begin(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Drops all bytes without closing the connections, like a cable that is unplugged behind a switch. */
  die(): void {
    this.#state = 'dead';
  }

  /** The service is away: what is open ends, and nobody is let in. */
  cut(): void {
    this.#state = 'cut';
    this.#close();
  }

  /** Ends the fault. Dropped bytes are lost, and their connections closed. */
  mend(): void {
    this.#state = 'open';
    this.#close();
  }

  end(): void {
    this.#close();
    this.#server.close();
  }

  #close(): void {
    for (const pair of this.#pairs) for (const side of pair) side.destroy();
    this.#pairs.clear();
  }

  #join(near: Socket): void {
    near.on('error', () => undefined);
    if (this.#state === 'cut') return void near.destroy();
    const { hostname, port } = new URL(SERVICE);
    const far = connect(Number(port), hostname);
    far.on('error', () => near.destroy());
    const pair: [Socket, Socket] = [near, far];
    this.#pairs.add(pair);
    const pass = (to: Socket) => (bytes: Buffer) => {
      if (this.#state === 'open') to.write(bytes);
      else this.swallowed += bytes.length;
    };
    // Sockets are opened through a tunnel that the proxy is asked for; plain requests come as they are.
    near.once('data', (bytes) => {
      if (bytes.toString('latin1').startsWith('CONNECT ')) near.write('HTTP/1.1 200 OK\r\n\r\n');
      else pass(far)(bytes);
      near.on('data', pass(far));
    });
    far.on('data', pass(near));
    for (const [side, other] of [
      [near, far],
      [far, near],
    ] as const) {
      side.on('close', () => {
        // A dead line does not tell either side that the other has gone.
        if (this.#state === 'open') other.destroy();
      });
    }
  }
}

/** A window of a signed-in user whose connection the test controls. */
export async function onALine(
  browser: Browser,
  options: { role?: Role; serviceWorkers?: 'allow' | 'block' } = {},
): Promise<{ line: Line; context: BrowserContext }> {
  const line = new Line();
  const server = await line.begin();
  const context = await browser.newContext({
    storageState: JSON.parse(readFileSync(stateFile(options.role ?? 'partner'), 'utf8')),
    proxy: { server },
    serviceWorkers: options.serviceWorkers ?? 'block',
  });
  context.on('close', () => line.end());
  return { line, context };
}

/** The board is read. A new window begins with all of the application. */
export const started = (page: Page) =>
  expect(page.locator('[data-order], .state').first()).toBeVisible({ timeout: 20_000 });
