import { ExportOutlined, SyncOutlined } from '@ant-design/icons';
import { Alert, Input, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RestaurantTv } from '../../generated/model';
import { restaurantTvsRotate } from '../../generated/client/devices/devices';
import { useForget } from '../../lib/query';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { CopyButton } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import './tv.css';

/**
 * The address that opens a display: copy it, open it, replace it after a leak.
 */
export function TvAddress({ row }: { row: RestaurantTv }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const forget = useForget();
  const [made, setMade] = useState<string>();
  const { busy, work } = useWork();
  const url = made ?? row.tv_url;
  const renew = async () => {
    if (
      url &&
      !(await notify.confirm({
        title: t('restaurant_tvs.renew_title', { name: row.name }),
        effect: t('restaurant_tvs.renew_effect'),
        verb: t('restaurant_tvs.renew'),
      }))
    )
      return;
    await work(async () => {
      const { tv_url } = await restaurantTvsRotate(...here(), row.id);
      setMade(tv_url ?? undefined);
      void forget(['restaurant_tvs']);
      notify.success(t('restaurant_tvs.renewed'));
    });
  };
  return (
    <fieldset className="field-group tv-address">
      <legend>{t('restaurant_tvs.tv_url')}</legend>
      <p className="field-lead">{t('restaurant_tvs.tv_url_help')}</p>
      {url ? (
        <Input
          readOnly
          value={url}
          aria-label={t('restaurant_tvs.tv_url')}
          onFocus={(event) => event.target.select()}
        />
      ) : (
        <Alert type="warning" showIcon title={t('restaurant_tvs.no_url')} />
      )}
      <Space wrap>
        {url && (
          <CopyButton text={url} label={t('action.copy')}>
            {t('action.copy')}
          </CopyButton>
        )}
        {url && (
          <Button icon={<ExportOutlined />} href={url} target="_blank" rel="noreferrer">
            {t('restaurant_tvs.open')}
          </Button>
        )}
        <Button icon={<SyncOutlined />} loading={busy} disabled={false} onClick={() => void renew()}>
          {t(url ? 'restaurant_tvs.renew' : 'restaurant_tvs.make')}
        </Button>
      </Space>
    </fieldset>
  );
}
