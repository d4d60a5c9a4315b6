import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useMe } from '../../lib/me';
import { isUnderWay, type Work } from '../../lib/work';
import { useSeen } from './seen';
import type { Works } from './useWorks';

export const nameOf = ({ title, about }: Work): string => (about ? `${title}, ${about}` : title);

/** What has ended and was not looked at: in the open tray, or on the page where it goes on. */
export function useNews({ works, settled }: Works, open: boolean): Work[] {
  const { known, isNews, look } = useSeen(useMe().id);
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!settled) return;
    look(
      open || !known
        ? works
        : works.filter(({ result }) => [pathname, pathname + search].includes(result?.to?.url ?? '')),
    );
  });
  return open ? [] : works.filter(isNews);
}

/** Says what ends while the page stands, for screen readers. */
export function useSaid({ works, settled }: Works): string {
  const { t } = useTranslation();
  const [said, setSaid] = useState('');
  const before = useRef<Map<string, Work>>(undefined);
  useEffect(() => {
    if (!settled) return;
    const last = before.current;
    before.current = new Map(works.map((work) => [work.id, work]));
    if (!last) return;
    // One that was made between two readings was never seen under way.
    const wasUnderWay = (id: string) => !last.has(id) || isUnderWay(last.get(id)!);
    const ended = works.filter((work) => !isUnderWay(work) && wasUnderWay(work.id));
    const sentences = ended.map((work) => t(`long_work.said.${work.state}`, { what: nameOf(work) }));
    if (ended.length > 0) setSaid(sentences.join(' '));
    // The same sentence would not be said twice.
    else if (works.some((work) => isUnderWay(work) && !last.has(work.id))) setSaid('');
  }, [works, settled, t]);
  return said;
}
