import { CloseOutlined, FlagOutlined } from '@ant-design/icons';
import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { useGettingStarted } from './api';
import { doneOf, useOpenGuide } from './Overview';
import './guide.css';

/** Above the fresh orders until everything that is needed is there, or somebody puts it away. */
export default function Reminder() {
  const { t } = useTranslation();
  const url = usePageUrl();
  const notify = useNotify();
  const openGuide = useOpenGuide();
  const { data, dismiss } = useGettingStarted();
  if (!data || data.complete || data.dismissed) return null;
  const { done, all } = doneOf(data);
  const missing = data.items
    .filter((item) => item.needed && !item.done)
    .map((item) => t(`guide.item_${item.key}`));
  const away = () =>
    dismiss(true).then(() => notify.undo(t('guide.dismissed'), () => dismiss(false)), notify.problem);
  return (
    <section className="guide-reminder" aria-label={t('guide.reminder')}>
      <FlagOutlined className="guide-flag" aria-hidden />
      <div className="guide-text">
        <b>{t('guide.reminder')}</b>
        <span>{t('guide.missing', { items: missing.join(', ') })}</span>
        <Progress
          percent={Math.round((done / all) * 100)}
          size="small"
          strokeColor="var(--primary)"
          showInfo={false}
          aria-label={t('guide.progress', { done, all })}
        />
      </div>
      <div className="guide-actions">
        <Button type="primary" onClick={() => openGuide(data)}>
          {t(done === 0 ? 'guide.start' : 'guide.go_on')}
        </Button>
        <Link to={url('getting_started')}>{t('guide.whole_list')}</Link>
        <Button
          type="text"
          icon={<CloseOutlined />}
          aria-label={t('guide.dismiss')}
          onClick={() => void away()}
        />
      </div>
    </section>
  );
}
