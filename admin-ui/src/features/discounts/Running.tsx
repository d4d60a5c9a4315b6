import { ArrowLeftOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { NotRunning, RunningDiscount } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Card, Chip, PageHeader, type Tone } from '../../lib/ui/page';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import { useRunning } from './api';
import { DISCOUNTS } from './useDiscountForm';
import { conditions, summary } from './words';

const TONES: Record<NotRunning, Tone> = {
  not_yet_valid: 'info',
  outside_time_range: 'neutral',
  limit_reached: 'warning',
};

/** Which promotions an order of this moment meets at the restaurant, and why the others wait. */
export default function Running() {
  const { t } = useTranslation();
  const url = usePageUrl();
  const { name } = useRestaurant();
  const query = useRunning();
  const running = query.data?.filter((one) => one.running) ?? [];
  const waiting = query.data?.filter((one) => !one.running) ?? [];
  return (
    <>
      <PageHeader
        title={t('discounts.running')}
        lead={t('discounts.running_lead', { name })}
        actions={
          <Link className="button-link" to={url(DISCOUNTS)}>
            <ArrowLeftOutlined aria-hidden />
            {t('discounts.all')}
          </Link>
        }
      />
      {!query.data ? (
        <Card flush>
          <QueryFallback query={query} rows={6} />
        </Card>
      ) : (
        <div className="page-cards">
          <Card flush title={t('discounts.running_now')}>
            {running.length === 0 ? (
              <EmptyState title={t('discounts.running_none')} text={t('discounts.running_none_text')} />
            ) : (
              <Rows rows={running} label={t('discounts.running_now')} />
            )}
          </Card>
          {waiting.length > 0 && (
            <Card flush title={t('discounts.waiting')}>
              <Rows rows={waiting} label={t('discounts.waiting')} />
            </Card>
          )}
        </div>
      )}
    </>
  );
}

function Rows({ rows, label }: { rows: RunningDiscount[]; label: string }) {
  return (
    <ul className="discount-running" aria-label={label}>
      {rows.map((one) => (
        <RunningRow key={one.discount.id} one={one} />
      ))}
    </ul>
  );
}

function RunningRow({ one: { discount, running, reason, changes_at } }: { one: RunningDiscount }) {
  const { t } = useTranslation();
  const { language, currency, dateTime } = useFormat();
  const url = usePageUrl();
  const changes = running ? 'discounts.ends_at' : 'discounts.begins_at';
  // The last minute of a period counts: whoever entered 14:00 is not told 14:01.
  const shown =
    changes_at && running && changes_at !== discount.valid_till
      ? new Date(Date.parse(changes_at) - 60_000).toISOString()
      : changes_at;
  const limits = conditions(discount, language).join(' · ');
  return (
    <li>
      <div className="discount-running-head">
        <Link className="row-link" to={url(DISCOUNTS, discount.id)}>
          {discount.name}
        </Link>
        <Chip>{t(`discounts.discount_type.${discount.discount_type}`)}</Chip>
        {discount.code && <code>{discount.code}</code>}
        {reason && <Chip tone={TONES[reason]}>{t(`discounts.reason.${reason}`)}</Chip>}
      </div>
      <p>{summary(discount, { language, currency })}</p>
      {limits && <p>{limits}</p>}
      <p className="edit-help">
        {discount.platforms.map((platform) => t(`discounts.platforms.${platform}`)).join(', ')}
        {shown && ` · ${t(changes, { at: dateTime(shown) })}`}
      </p>
    </li>
  );
}
