import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const source = readFileSync('scripts/worker.js', 'utf8')
  .replace('__FILES__', '["/assets/main-A1.js","/assets/screen-A1.js"]')
  .replace('__AHEAD__', '["/assets/main-A1.js"]')
  .replace('__ENTRY__', '"/assets/main-A1.js"');
const ORIGIN = 'https://pult.test';
const OURS = '<script src="/assets/main-A1.js"></script>';
const THEIRS = '<script src="/assets/main-B2.js"></script>';

type Listener = (event: Record<string, unknown>) => void;
let listeners: Record<string, Listener>;
let kept: Map<string, Response>;
let there: boolean;
let network: ReturnType<typeof vi.fn<(request: string | { url: string }) => Promise<Response>>>;

/** The worker in a world of its own. */
function start(): void {
  listeners = {};
  kept = new Map();
  there = false;
  network = vi.fn(async () => new Response(OURS));
  const at = (request: string | { url: string }) =>
    new URL(typeof request === 'string' ? request : request.url, ORIGIN).pathname;
  const cache = {
    match: async (request: string) => kept.get(at(request))?.clone(),
    put: async (request: string, response: Response) => void kept.set(at(request), response),
    keys: async () => [...kept.keys()].map((path) => ({ url: ORIGIN + path })),
    delete: async (request: { url: string }) => kept.delete(at(request)),
  };
  const scope = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, run: Listener) => (listeners[name] = run),
    skipWaiting: vi.fn(),
  };
  // eslint-disable-next-line no-new-func
  new Function('self', 'caches', 'fetch', source)(
    scope,
    { open: async () => ((there = true), cache), has: async () => there },
    network,
  );
}

async function lifecycle(name: 'install' | 'activate'): Promise<void> {
  let work: Promise<unknown> = Promise.resolve();
  listeners[name]!({ waitUntil: (promise: Promise<unknown>) => (work = promise) });
  await work;
}

/** The worker's answer; undefined when it leaves the request alone. */
function ask(path: string, part: { mode?: string; method?: string } = {}): Promise<Response> | undefined {
  let answer: Promise<Response> | undefined;
  const request = { url: new URL(path, ORIGIN).href, mode: 'cors', method: 'GET', ...part };
  listeners.fetch!({
    request,
    respondWith: (given: Promise<Response>) => (answer = given),
    waitUntil: () => undefined,
  });
  return answer;
}
const navigate = (path: string) => ask(path, { mode: 'navigate' });

beforeEach(start);
afterEach(() => vi.useRealTimers());

describe('the service worker', () => {
  it.each([
    ['/api/v3/admin/me', 'cors'],
    ['/api/rest', 'cors'],
    ['/fresh-orders', 'cors'],
    ['/tv-board', 'cors'],
    ['/sw.js', 'cors'],
    ['/favicon.svg', 'cors'],
    ['/tv', 'navigate'],
    ['/kiosk', 'navigate'],
    ['/login', 'navigate'],
    ['/bejelentkezes', 'navigate'],
    ['/new-password?token=x', 'navigate'],
    ['/sso', 'navigate'],
    ['/api/docs', 'navigate'],
    ['/r/1/orders', 'cors'],
    ['https://other.test/assets/main-A1.js', 'cors'],
  ])('leaves %s (%s) alone', (path, mode) => expect(ask(path, { mode })).toBeUndefined());

  it('leaves what writes alone', () =>
    expect(ask('/r/1', { mode: 'navigate', method: 'POST' })).toBeUndefined());

  it('fetches its own files ahead, and nothing when the page is of another release', async () => {
    await lifecycle('install');
    expect([...kept.keys()].toSorted()).toEqual(['/', '/assets/main-A1.js']);
    start();
    network.mockImplementation(async () => new Response(THEIRS));
    await expect(lifecycle('install')).rejects.toThrow('another release');
    expect(kept.size).toBe(0);
  });

  it('does not install with a file missing', async () => {
    network.mockImplementation(async (request) =>
      request === '/' ? new Response(OURS) : new Response('', { status: 404 }),
    );
    await expect(lifecycle('install')).rejects.toThrow('404');
    expect(kept.has('/')).toBe(false);
  });

  it('keeps nothing any more once it was taken away', async () => {
    network.mockImplementation(async () => new Response('code'));
    expect((await ask('/assets/screen-A1.js'))!.status).toBe(200);
    network.mockImplementation(async () => new Response(OURS));
    expect((await navigate('/r/1'))!.status).toBe(200);
    expect(kept.size).toBe(0);
  });

  it('keeps files of its release only, and asks once for each', async () => {
    there = true;
    network.mockImplementation(async () => new Response('code'));
    await ask('/assets/screen-A1.js');
    await ask('/assets/screen-A1.js');
    expect(network).toHaveBeenCalledTimes(1);
    await ask('/assets/tv-A1.js');
    network.mockImplementation(async () => new Response('', { status: 404 }));
    expect((await ask('/assets/gone-A1.js'))!.status).toBe(404);
    expect([...kept.keys()]).toEqual(['/assets/screen-A1.js']);
  });

  it('drops files of other releases when it takes over', async () => {
    await lifecycle('install');
    kept.set('/assets/main-0.js', new Response(''));
    await lifecycle('activate');
    expect([...kept.keys()].toSorted()).toEqual(['/', '/assets/main-A1.js']);
  });

  it('takes the page from the network, and the kept one when the service is away or ill', async () => {
    await lifecycle('install');
    network.mockImplementation(async () => new Response(THEIRS));
    expect(await (await navigate('/r/1/orders'))!.text()).toBe(THEIRS);
    network.mockRejectedValue(new TypeError('no network'));
    expect(await (await navigate('/r/1/orders'))!.text()).toBe(OURS);
    network.mockImplementation(async () => new Response('bad gateway', { status: 502 }));
    expect(await (await navigate('/'))!.text()).toBe(OURS);
    expect(await (await navigate('/platform/partners'))!.text()).toBe(OURS);
  });

  it('gives the network three seconds', async () => {
    await lifecycle('install');
    vi.useFakeTimers();
    network.mockReturnValue(new Promise(() => undefined));
    const answered = vi.fn();
    void navigate('/r/1')!.then(answered);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(await (answered.mock.calls[0]![0] as Response).text()).toBe(OURS);
  });
});
