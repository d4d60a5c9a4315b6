import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Key } from '../../../lib/query';
import { useNotify } from '../../../lib/ui/notify';
import { useWork } from '../../../lib/ui/work';
import { useRefreshCatalogue } from './api';

interface Named {
  id: string;
  name: string;
}

interface Options<T> {
  /** The same key as long as nobody has answered: a copy is not made twice. */
  send: (row: T, key: string) => Promise<T>;
  /** Which keys of the cache take the copy. */
  stored: (made: T) => { own?: Key; into?: Key };
  /** Where the copy is edited. */
  urlOf: (made: T) => string;
}

/** Copies a row and opens the copy: its name is what has to change. */
export function useCopy<T extends Named>({ send, stored, urlOf }: Options<T>): (row: T) => Promise<void> {
  const { t } = useTranslation();
  const notify = useNotify();
  const navigate = useNavigate();
  const refresh = useRefreshCatalogue();
  const { work } = useWork();
  return (row) =>
    work(async (keyFor) => {
      const made = await send(row, keyFor(row, row.id));
      void refresh({ ...stored(made), row: made });
      notify.success(t('catalogue.copied', { name: made.name }));
      void navigate(urlOf(made));
    });
}
