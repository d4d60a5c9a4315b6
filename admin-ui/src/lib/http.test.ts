import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, request, retryOnce, setSessionHandlers } from './http';
import { IdempotencyKeys } from './idempotency';

const answer = (status: number, body?: unknown, headers: Record<string, string> = {}) =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

const stub = (...answers: (Response | Error)[]) => {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => {
    const next = answers.shift()!;
    if (next instanceof Error) throw next;
    return next;
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
};

afterEach(() => setSessionHandlers({}));

describe('request', () => {
  it('sends our header and JSON, below /api/v3', async () => {
    const fetch = stub(answer(200, { ok: 1 }, { 'X-Total-Count': '7' }));
    const { data, headers } = await request('/couriers', { method: 'POST', body: { name: 'á' } });
    const [url, init] = fetch.mock.calls[0]!;
    expect(url).toBe('/api/v3/couriers');
    expect(new Headers(init.headers).get('X-Pult-UI')).toBe('1');
    expect(new Headers(init.headers).get('Content-Type')).toBe('application/json');
    expect(init.body).toBe('{"name":"á"}');
    expect(data).toEqual({ ok: 1 });
    expect(headers.get('X-Total-Count')).toBe('7');
  });

  it('says of what it reads while nobody is at the page that it is no use of the session', async () => {
    vi.useFakeTimers();
    const fetch = stub(...Array.from({ length: 6 }, () => answer(200, [])));
    const marked = async (method?: string) => {
      await request('/x', method ? { method } : {});
      return new Headers(fetch.mock.lastCall![1].headers).get('X-Pult-Background');
    };
    document.body.dispatchEvent(new Event('keydown', { bubbles: true }));
    // Somebody who only types is noticed by the next count of orders.
    vi.advanceTimersByTime(60_000);
    expect(await marked()).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(await marked()).toBe('1');
    expect(await marked('GET')).toBe('1');
    expect(await marked('POST')).toBeNull();
    window.dispatchEvent(new Event('focus'));
    expect(await marked()).toBeNull();
  });

  it('leaves complete paths alone and reads an empty answer', async () => {
    const fetch = stub(answer(204));
    expect((await request('/api/rest')).data).toBeUndefined();
    expect(fetch.mock.calls[0]![0]).toBe('/api/rest');
  });

  it('throws the problem document with its keys', async () => {
    stub(
      answer(422, {
        code: 'VALIDATION_FAILED',
        status: 422,
        title: 'x',
        keys: ['ranges.0.from'],
        request_id: 'r1',
      }),
    );
    const error = await request('/x').catch((e: unknown) => e as ApiError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      statusCode: 422,
      code: 'VALIDATION_FAILED',
      keys: ['ranges.0.from'],
    });
  });

  it('turns a malformed answer into a problem', async () => {
    stub(new Response('<html>bad gateway', { status: 502, headers: { 'X-Request-Id': 'r2' } }));
    await expect(request('/x')).rejects.toMatchObject({
      code: 'UNAVAILABLE_SERVER',
      problem: { request_id: 'r2' },
    });
  });

  it('knows an unanswered call', async () => {
    stub(new TypeError('failed to fetch'));
    await expect(request('/x')).rejects.toMatchObject({ code: 'NETWORK_ERROR', unanswered: true });
  });

  it('asks to sign in again at 401 and repeats the call once', async () => {
    const unauthorized = vi.fn(async () => true);
    setSessionHandlers({ unauthorized });
    const fetch = stub(answer(401, { code: 'USER_TOKEN_EXPIRED', status: 401 }), answer(200, { done: true }));
    expect((await request('/x')).data).toEqual({ done: true });
    expect(fetch).toHaveBeenCalledTimes(2);
    stub(answer(401, { code: 'USER_TOKEN_EXPIRED', status: 401 }));
    await expect(request('/x', { quiet401: true })).rejects.toMatchObject({ status: 401 });
    expect(unauthorized).toHaveBeenCalledTimes(1);
  });

  it('reads the refused answer before it asks to sign in', async () => {
    const refused = answer(401, { code: 'USER_TOKEN_EXPIRED', status: 401 });
    const read: boolean[] = [];
    setSessionHandlers({ unauthorized: async () => (read.push(refused.bodyUsed), false) });
    stub(refused);
    await expect(request('/x')).rejects.toMatchObject({ status: 401, code: 'USER_TOKEN_EXPIRED' });
    expect(read).toEqual([true]);
  });

  it('tells when a right is missing', async () => {
    const forbidden = vi.fn();
    setSessionHandlers({ forbidden });
    stub(answer(403, { code: 'USER_PERMISSION_REQUIRED', status: 403 }));
    await expect(request('/x')).rejects.toMatchObject({ status: 403 });
    expect(forbidden).toHaveBeenCalledOnce();
  });

  it('reads Retry-After', async () => {
    stub(answer(429, { code: 'TOO_MANY_REQUESTS', status: 429 }, { 'Retry-After': '12' }));
    await expect(request('/x')).rejects.toMatchObject({ retryAfter: 12 });
  });
});

describe('idempotency keys', () => {
  it('keeps one key per body and takes a new one after an edit or a success', () => {
    const keys = new IdempotencyKeys();
    const first = keys.keyFor({ a: 1 });
    expect(keys.keyFor({ a: 1 })).toBe(first);
    const edited = keys.keyFor({ a: 2 });
    expect(edited).not.toBe(first);
    keys.done();
    expect(keys.keyFor({ a: 2 })).not.toBe(edited);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('works where randomUUID is missing', () => {
    vi.stubGlobal('crypto', { getRandomValues: (a: Uint8Array) => a.fill(7) });
    expect(new IdempotencyKeys().keyFor({})).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

it('a reading is tried again once, and only when nobody answered or the service failed', () => {
  const failure = (status: number) => new ApiError({ status, code: 'X' });
  expect([0, 500, 503].map((status) => retryOnce(0, failure(status)))).toEqual([true, true, true]);
  expect([400, 403, 404, 409, 429].some((status) => retryOnce(0, failure(status)))).toBe(false);
  expect(retryOnce(1, failure(503))).toBe(false);
  expect(retryOnce(0, new TypeError('a fault of ours'))).toBe(false);
});
