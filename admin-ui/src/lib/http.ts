/**
 * The one place that talks to the service. Generated functions go through `api`, the data provider through
 * `request`, which also gives the headers (totals of lists).
 */

import { Emitter } from './events';
import { awaited } from './underWay';

/** A problem document (RFC 9457) with the service's own members. */
export interface Problem {
  type?: string;
  title?: string;
  status: number;
  detail?: string;
  code: string;
  /** Fields at fault as dotted paths, `ranges.0.price_from`. */
  keys?: string[];
  /** What is wrong with each key: `required`, `too_long` with its limit, … */
  faults?: { key?: string | null; fault?: string | null; limit?: number | null }[] | null;
  /** Faults of an uploaded sheet. */
  rows?: { row: number; key?: string; fault?: string; code?: string; detail?: string; name?: string }[];
  request_id?: string;
  /** CONFLICT: the row as it is now. */
  current?: Record<string, unknown>;
  /** Of a conflict: who saved the current row, and when. */
  changed_by?: string;
  changed_at?: string;
  [more: string]: unknown;
}

/** Every failed call, the network's failures included (`status` 0, code NETWORK_ERROR). */
export class ApiError extends Error {
  readonly status: number;
  /** The name under which Refine reads the status. */
  readonly statusCode: number;
  readonly problem: Problem;
  /** Seconds, from Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.title ?? problem.code);
    this.name = 'ApiError';
    this.status = problem.status;
    this.statusCode = problem.status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get code(): string {
    return this.problem.code;
  }

  get keys(): string[] {
    return this.problem.keys ?? [];
  }

  /** Nobody answered: a writing call may or may not have been done. */
  get unanswered(): boolean {
    return this.status === 0;
  }
}

/**
 * Whether a failed reading is tried again: once, when nobody answered or the service failed. What is refused or
 * not there stays so.
 */
export const retryOnce = (failures: number, error: unknown): boolean =>
  failures < 1 && error instanceof ApiError && (error.unanswered || error.status >= 500);

/** Whether a reading failed because the thing is not there. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

interface Answer<T> {
  data: T;
  status: number;
  headers: Headers;
}

export interface RequestOptions extends Omit<RequestInit, 'body' | 'headers'> {
  headers?: HeadersInit | undefined;
  /** A plain object is sent as JSON. */
  body?: BodyInit | object | null;
  /** Milliseconds until the call counts as unanswered; default 30 s. */
  timeout?: number;
  /** A 401 is the caller's business (sign-in itself, the first look at who is signed in). */
  quiet401?: boolean;
  /** Gets the headers of a good answer; generated functions answer the body only. */
  onHeaders?: (headers: Headers) => void;
}

/** Asks the user to sign in again; true when the call may be repeated. Set by the shell. */
let onUnauthorized: (() => Promise<boolean>) | undefined;
let onForbidden: (() => void) | undefined;

export function setSessionHandlers(handlers: {
  unauthorized?: () => Promise<boolean>;
  forbidden?: () => void;
}): void {
  onUnauthorized = handlers.unauthorized;
  onForbidden = handlers.forbidden;
}

/** After this time without an answer the connection counts as doubtful. */
const SLOW_MS = 4000;

/** Emitted when a call is not answered in time: the connection may be lost. */
export const doubts = new Emitter<{ doubt: undefined }>();
const doubt = () => doubts.emit('doubt', undefined);

/** Without input for longer than this, nobody is at the page. The count of orders is read more often. ms */
const PRESENT_MS = 75_000;

/** When somebody last did something on this page. Opening it and coming back to it count. */
let lastInput = Date.now();
const noteInput = () => {
  lastInput = Date.now();
};
for (const name of ['pointerdown', 'keydown', 'wheel'])
  window.addEventListener(name, noteInput, { capture: true, passive: true });
window.addEventListener('focus', noteInput);

/**
 * Whether the page reads by itself: by the clock, or because the service told it something. Such a reading is
 * no use of the session, which an open page would otherwise keep for ever.
 */
const isBackground = (method = 'GET') => method === 'GET' && Date.now() - lastInput > PRESENT_MS;

const address = (path: string) => (path.startsWith('/api/') ? path : `/api/v3${path}`);

function headersOf({ headers: given, body, method }: RequestOptions): Headers {
  const headers = new Headers();
  const entries = given instanceof Headers || Array.isArray(given) ? [...given] : Object.entries(given ?? {});
  for (const [name, value] of entries as [string, string | readonly string[] | undefined][]) {
    if (value !== undefined) headers.set(name, String(value));
  }
  headers.set('Accept', 'application/json, application/problem+json');
  // The service accepts a cookie only together with this header, which no foreign page can send.
  headers.set('X-Pult-UI', '1');
  if (isBackground(method)) headers.set('X-Pult-Background', '1');
  // Generated functions send text; where a call takes several kinds of body they name none.
  if (isPlain(body) || (typeof body === 'string' && !headers.has('Content-Type')))
    headers.set('Content-Type', 'application/json');
  return headers;
}

const isPlain = (body: RequestOptions['body']): body is object =>
  typeof body === 'object' &&
  body !== null &&
  !(body instanceof FormData) &&
  !(body instanceof Blob) &&
  !(body instanceof URLSearchParams);

async function problemOf(response: Response): Promise<Problem> {
  const fallback: Problem = {
    status: response.status,
    code: response.status >= 500 ? 'UNAVAILABLE_SERVER' : 'UNKNOWN_ERROR',
    title: response.statusText,
    request_id: response.headers.get('X-Request-Id') ?? undefined,
  };
  try {
    const body = (await response.json()) as Partial<Problem>;
    return typeof body?.code === 'string' ? { ...fallback, ...body, status: response.status } : fallback;
  } catch {
    return fallback;
  }
}

async function once(path: string, options: RequestOptions): Promise<Response> {
  const { timeout = 30_000, quiet401: _, headers: __, body, signal, ...init } = options;
  const limit = AbortSignal.timeout(timeout);
  const slow = setTimeout(doubt, SLOW_MS);
  try {
    return await fetch(address(path), {
      ...init,
      headers: headersOf(options),
      body: isPlain(body) ? JSON.stringify(body) : (body as BodyInit | null | undefined),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    doubt();
    throw new ApiError({ status: 0, code: 'NETWORK_ERROR', title: String(cause) });
  } finally {
    clearTimeout(slow);
  }
}

/** @throws ApiError for every answer that is not 2xx and when nobody answers. */
async function answered(path: string, options: RequestOptions): Promise<Response> {
  let response = await once(path, options);
  if (response.status === 401 && !options.quiet401 && onUnauthorized) {
    // Read before asking: the answer would hang, and its time run out, while somebody types a password. A
    // wrong code of the second factor ends no session.
    const problem = await problemOf(response);
    if (problem.code.startsWith('SECOND_FACTOR_') || !(await onUnauthorized())) throw new ApiError(problem);
    response = await once(path, options);
  }
  if (!response.ok) {
    const problem = await problemOf(response);
    if (
      problem.status === 403 &&
      ['USER_PERMISSION_REQUIRED', 'SUPPORT_ACCESS_REQUIRED'].includes(problem.code)
    )
      onForbidden?.();
    const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
    throw new ApiError(problem, Number.isFinite(wait) ? wait : undefined);
  }
  return response;
}

/**
 * Calls the service; the path is relative to /api/v3 unless it begins with /api/.
 * @throws ApiError for every answer that is not 2xx and when nobody answers.
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const response = await awaited(answered(path, options));
  const text = response.status === 204 ? '' : await response.text();
  return {
    data: (text ? JSON.parse(text) : undefined) as T,
    status: response.status,
    headers: response.headers,
  };
}

/** The transport of the generated functions. */
export async function api<T>(path: string, { onHeaders, ...options }: RequestOptions): Promise<T> {
  const { data, headers } = await request<T>(path, options);
  onHeaders?.(headers);
  return data;
}

/** Rows of a list, with the number of rows on all its pages. */
export interface Counted<T> {
  rows: T[];
  total: number;
}

/**
 * Calls a list with `count: true` and reads the total from the headers. `call` hands the options it gets to the
 * generated function.
 * @throws ApiError as `request` does.
 */
export async function counted<T>(
  call: (options: RequestOptions) => Promise<T[]>,
  options: RequestOptions = {},
): Promise<Counted<T>> {
  let total: string | null = null;
  const onHeaders = (headers: Headers) => {
    total = headers.get('X-Total-Count');
    options.onHeaders?.(headers);
  };
  const rows = await call({ ...options, onHeaders });
  return { rows, total: Number(total ?? rows.length) };
}

/**
 * Fetches a file.
 * @throws ApiError as `request` does.
 */
export async function requestFile(path: string, headers?: HeadersInit): Promise<Blob> {
  return (await answered(path, { timeout: 120_000, headers })).blob();
}
