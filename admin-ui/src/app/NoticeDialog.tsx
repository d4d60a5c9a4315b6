import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Announcement, MyReleaseInfo } from '../generated/model';
import { usePageUrl } from '../lib/navigation';
import { Dialog } from '../lib/ui/Dialog';
import { Html } from '../lib/ui/Html';
import './notices.css';

/** Points of the news that opens. */
const POINTS = 3;

interface Props {
  /** It goes before the news. */
  announcement: Announcement | undefined;
  news: readonly MyReleaseInfo[];
  onRead: () => void;
}

/** An announcement, which has to be confirmed, or what is new. */
export default function NoticeDialog({ announcement, news, onRead }: Props) {
  const { t } = useTranslation();
  if (!announcement) return <News news={news} onRead={onRead} />;
  return (
    <Dialog
      title={t('notices.announcement')}
      okText={t('notices.read')}
      onOk={onRead}
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

function News({ news, onRead }: Omit<Props, 'announcement'>) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const points = news.flatMap((info) => info.bullet_points);
  return (
    <Dialog
      title={t('notices.news')}
      okText={t('notices.news_ok')}
      onOk={onRead}
      onCancel={onRead}
      footer={(_, { OkBtn }) => <OkBtn />}
    >
      {points.slice(0, POINTS).map((point, index) => (
        <article className="notice-point" key={index}>
          <h3>{point.title}</h3>
          <Html text={point.description} />
        </article>
      ))}
      <Link to={url('release_info')} onClick={onRead}>
        {points.length > POINTS
          ? t('notices.news_more', { count: points.length - POINTS })
          : t('notices.news_all')}
      </Link>
    </Dialog>
  );
}
