import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import {
  myAnnouncementsConfirm,
  myAnnouncementsList,
  myReleaseInfosConfirm,
  myReleaseInfosList,
} from '../generated/client/session/session';
import type { Announcement, MyReleaseInfo } from '../generated/model';
import { accountLanguage } from '../lib/i18n';
import { useLiveEvent } from '../lib/live';
import { usePageUrl } from '../lib/navigation';
import { AfterDialogs } from '../lib/ui/AfterDialogs';
import { Html } from '../lib/ui/Html';
import { Dialog } from '../lib/ui/Dialog';
import './notices.css';

/** Points of the news that opens. */
const MAX_POINTS = 3;

/**
 * What opens by itself: the first announcement that was not confirmed yet, again and again until there is
 * none; and what is new, once after loading. Both wait until no other dialog is open. A list that cannot be
 * read is empty: nobody is kept from working by it.
 */
export default function Notices() {
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
  const confirm = (id: string) => {
    setAnnouncements((all) => all.filter((one) => one.id !== id));
    myAnnouncementsConfirm(id).catch(() => undefined);
  };
  if (!first && news.length === 0) return null;
  return (
    <AfterDialogs>
      {first ? (
        <Unread announcement={first} onDone={() => confirm(first.id)} />
      ) : (
        <News news={news} onDone={() => setNews([])} />
      )}
    </AfterDialogs>
  );
}

/** It stays until it is confirmed. */
function Unread({ announcement, onDone }: { announcement: Announcement; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('notices.announcement')}
      okText={t('notices.read')}
      onOk={onDone}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={(_, { OkBtn }) => <OkBtn />}
    >
      <div className="notice-text">
        <Html text={announcement.message} />
      </div>
    </Dialog>
  );
}

function News({ news, onDone }: { news: MyReleaseInfo[]; onDone: () => void }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const points = news.flatMap((info) => info.bullet_points);
  const confirm = () => {
    for (const info of news) myReleaseInfosConfirm(info.id).catch(() => undefined);
    onDone();
  };
  return (
    <Dialog
      title={t('notices.news')}
      okText={t('notices.news_ok')}
      onOk={confirm}
      onCancel={confirm}
      footer={(_, { OkBtn }) => <OkBtn />}
    >
      {points.slice(0, MAX_POINTS).map((point, index) => (
        <article className="notice-point" key={index}>
          <h3>{point.title}</h3>
          <Html text={point.description} />
        </article>
      ))}
      <Link to={url('release_info')} onClick={confirm}>
        {points.length > MAX_POINTS
          ? t('notices.news_more', { count: points.length - MAX_POINTS })
          : t('notices.news_all')}
      </Link>
    </Dialog>
  );
}
