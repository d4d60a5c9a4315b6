import { Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import {
  myAnnouncementsConfirm,
  myAnnouncementsList,
  myReleaseInfosConfirm,
  myReleaseInfosList,
} from '../generated/client/session/session';
import type { Announcement, MyReleaseInfo } from '../generated/model';
import { accountLanguage } from '../lib/i18n';
import { useLiveEvent } from '../lib/live';
import { later } from '../lib/later';

const NoticeDialog = later(() => import('./NoticeDialog'), 'quiet');

/**
 * What opens by itself: the first announcement that was not confirmed yet, again and again until there is
 * none; and what is new, once after loading. A list that cannot be read is empty: nobody is kept from working
 * by it.
 */
export function Notices() {
  const [announcements, setAnnouncements] = useState<Announcement[]>([]);
  const [news, setNews] = useState<MyReleaseInfo[]>([]);
  const load = useCallback(
    () => void myAnnouncementsList().then(setAnnouncements, () => setAnnouncements([])),
    [],
  );
  const known = useSyncExternalStore(accountLanguage.subscribe, accountLanguage.get);
  useEffect(load, [load, known]);
  useEffect(
    () => void myReleaseInfosList({ show_only_news: true }).then(setNews, () => setNews([])),
    [known],
  );
  useLiveEvent('TASK_ANNOUNCEMENT', load);
  useLiveEvent('TASK_RELOAD', load);

  const [first] = announcements;
  const read = () => {
    setAnnouncements((all) => all.filter((one) => one !== first));
    if (first) myAnnouncementsConfirm(first.id).catch(() => undefined);
  };
  const readNews = () => {
    for (const info of news) myReleaseInfosConfirm(info.id).catch(() => undefined);
    setNews([]);
  };
  if (!first && news.length === 0) return null;
  return (
    <Suspense>
      <NoticeDialog announcement={first} news={news} onRead={first ? read : readNews} />
    </Suspense>
  );
}
