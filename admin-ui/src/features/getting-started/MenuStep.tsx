import { BulbOutlined, EditOutlined, FileExcelOutlined } from '@ant-design/icons';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../lib/access';
import { featureByKey } from '../../lib/features';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, Chip } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import { useGettingStarted } from './api';
import { makeExample } from './example';
import type { StepProps } from './stepProps';

/** Three ways to a menu: a file, an example to change, by hand. */
export function MenuStep({ onSaved }: StepProps) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const can = useCan();
  const notify = useNotify();
  const { language } = useFormat();
  const { currency, primary_language } = useRestaurant();
  const done = useGettingStarted().data?.items.find((item) => item.key === 'menu')?.done ?? false;
  const { busy: making, work } = useWork();
  const importing = featureByKey('menu_import');
  const example = () =>
    work(async (keyFor) => {
      await makeExample(primary_language ?? language, currency, keyFor);
      notify.success(t('guide.example_done'));
      onSaved();
    });
  return (
    <Card title={t('guide.menu_ways')} extra={done && <Chip tone="success">{t('guide.has_menu')}</Chip>}>
      <div className="guide-ways">
        {importing && can(...importing.permission) && (
          <Way icon={<FileExcelOutlined />} title={t('guide.import')} text={t('guide.import_text')}>
            <Link to={url('menu_import', undefined, { from: 'guide' })}>{t('guide.import_open')}</Link>
          </Way>
        )}
        {can('catalog_edit') && !done && (
          <Way icon={<BulbOutlined />} title={t('guide.example')} text={t('guide.example_text')}>
            <Button loading={making} onClick={() => void example()}>
              {t('guide.example_make')}
            </Button>
          </Way>
        )}
        {can('order') && (
          <Way icon={<EditOutlined />} title={t('guide.by_hand')} text={t('guide.by_hand_text')}>
            <Link to={url('categories_and_products')}>{t('guide.by_hand_open')}</Link>
          </Way>
        )}
      </div>
      <p className="guide-note">{t('guide.copy_text')}</p>
    </Card>
  );
}

function Way({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <div className="guide-way">
      <span className="guide-icon" aria-hidden>
        {icon}
      </span>
      <h3>{title}</h3>
      <p>{text}</p>
      {children}
    </div>
  );
}
