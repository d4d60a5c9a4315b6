import { getImagesCreateUrl } from '../../generated/client/content/content';
import { here } from '../target';
import { formatDateTime } from '../format';
import { ApiError, type Problem } from '../http';
import type { Image } from '../../generated/model';

/** The largest picture of the menu, and of others, in bytes. */
export const LARGEST = { catalogue: 15_000_000, usual: 10_000_000 };

/** What the file dialog offers; the service looks at the content. */
export const KINDS = 'image/jpeg,image/png,image/webp,image/gif';

interface Send {
  file: File;
  name: string;
  /** For the menu: more bytes are taken. */
  catalogue: boolean;
  key: string;
  /** The uploaded share, 0 to 1. */
  onProgress: (share: number) => void;
  signal?: AbortSignal;
}

/** Uploads a picture. `fetch` does not tell how far it is, so this is the older way, with the same errors. */
export function sendImage({ file, name, catalogue, key, onProgress, signal }: Send): Promise<Image> {
  const path = getImagesCreateUrl(...here(), catalogue ? { catalogue: true } : undefined);
  const body = new FormData();
  body.append('name', name);
  body.append('image', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (problem: Problem) =>
      reject(new ApiError(problem, Number(request.getResponseHeader('Retry-After')) || undefined));
    request.open('POST', path);
    request.setRequestHeader('X-Pult-UI', '1');
    request.setRequestHeader('Accept', 'application/json, application/problem+json');
    request.setRequestHeader('Accept-Language', document.documentElement.lang);
    request.setRequestHeader('Idempotency-Key', key);
    request.timeout = 120_000;
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () => {
      let answer: unknown;
      try {
        answer = JSON.parse(request.responseText);
      } catch {
        answer = undefined;
      }
      if (request.status === 201) return resolve(answer as Image);
      return fail({
        status: request.status,
        code: request.status === 413 ? 'TOO_LARGE' : 'UNKNOWN_ERROR',
        ...(answer as object | undefined),
      });
    };
    request.onerror = () => fail({ status: 0, code: 'NETWORK_ERROR' });
    request.ontimeout = () => fail({ status: 0, code: 'NETWORK_ERROR' });
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

/**
 * A name for a picture: its file's, without the ending; pasted ones all have the same and get the moment, as
 * the zone's clocks show it.
 */
export function nameOf(file: File, now: Date, zone: string): string {
  const plain = file.name
    .replace(/\.[^.]+$/, '')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .slice(0, 200);
  return plain && plain !== 'image' ? plain : formatDateTime(now, zone);
}
