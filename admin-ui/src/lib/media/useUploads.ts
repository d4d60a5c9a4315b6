import { useCallback, useRef, useState } from 'react';
import type { Image } from '../../generated/model';
import { ApiError } from '../http';
import { newKey } from '../idempotency';
import { useFormat } from '../format';
import { useForget } from '../query';
import { LARGEST, nameOf, sendImage } from './send';

/** A picture on its way. */
export interface Upload {
  key: string;
  name: string;
  file: File;
  /** 0 to 1; 1 while the service makes the sizes. */
  share: number;
  error?: unknown;
}

const tooLarge = () => new ApiError({ status: 413, code: 'TOO_LARGE' });

/**
 * Uploads pictures one after another: the service makes few at a time, and the first ones are there sooner.
 */
export function useUploads({ catalogue, onDone }: { catalogue: boolean; onDone?: (image: Image) => void }) {
  const { zone } = useFormat();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const forget = useForget();
  const line = useRef<Promise<void>>(Promise.resolve());
  const done = useRef(onDone);
  done.current = onDone;

  const change = useCallback(
    (key: string, part: Partial<Upload>) =>
      setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one))),
    [],
  );
  const dismiss = useCallback((key: string) => setUploads((all) => all.filter((one) => one.key !== key)), []);
  const send = useCallback(
    (upload: Upload) => {
      line.current = line.current.then(async () => {
        try {
          if (upload.file.size > (catalogue ? LARGEST.catalogue : LARGEST.usual)) throw tooLarge();
          const image = await sendImage({
            ...upload,
            catalogue,
            onProgress: (share) => change(upload.key, { share }),
          });
          dismiss(upload.key);
          await forget(['images']);
          done.current?.(image);
        } catch (error) {
          change(upload.key, { error });
        }
      });
    },
    [catalogue, change, dismiss, forget],
  );

  const add = useCallback(
    (files: Iterable<File>) => {
      const fresh = [...files].map((file) => ({
        key: newKey(),
        name: nameOf(file, new Date(), zone),
        file,
        share: 0,
      }));
      setUploads((all) => [...all, ...fresh]);
      fresh.forEach(send);
    },
    [send, zone],
  );
  // The same key, so a request without an answer is not done twice.
  const retry = useCallback(
    (upload: Upload) => {
      const again: Upload = { key: upload.key, name: upload.name, file: upload.file, share: 0 };
      setUploads((all) => all.map((one) => (one.key === upload.key ? again : one)));
      send(again);
    },
    [send],
  );
  return { uploads, add, retry, dismiss };
}
