import { GiftOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { GiftChoice, Quote, QuotePromotion } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { useLocked } from '../../lib/form/fieldState';
import { Button } from '../../lib/ui/Button';
import { ProblemAlert } from '../../lib/ui/states';
import { IN_LINES, toldOf } from './promotions';
import type { RunningQuote } from './useQuote';
import './taking.css';

interface Props {
  running: RunningQuote;
  /** A code was named. */
  coupon: boolean;
  onGift: (choice: GiftChoice) => void;
}

/** What it costs and why, and what promotions say. An old price is marked while the new one is under way. */
export function QuoteView({ running, coupon, onGift }: Props) {
  const { t } = useTranslation();
  const { quote, stale, error, retry } = running;
  return (
    <div className="taking-quote" data-stale={stale} aria-busy={stale}>
      {error !== undefined && (
        <ProblemAlert
          error={error}
          keys={error instanceof ApiError ? error.keys : []}
          action={
            <Button size="small" onClick={retry}>
              {t('action.retry')}
            </Button>
          }
        />
      )}
      {quote && (
        <>
          <Steps quote={quote} />
          <Promotions quote={quote} coupon={coupon} onGift={onGift} />
        </>
      )}
    </div>
  );
}

/** The total, in one line. */
export function Total({ running: { quote, stale, error } }: Pick<Props, 'running'>) {
  const { t } = useTranslation();
  const { money } = useFormat();
  return (
    <p className="taking-total" data-stale={stale} role="status">
      <span>{t('taking.total')}</span>
      <b className="num">{quote ? money(quote.total_price) : '–'}</b>
      {stale && (
        <span className="taking-under-way">
          {t(error === undefined ? 'taking.pricing' : 'taking.not_priced')}
        </span>
      )}
    </p>
  );
}

export function Steps({ quote }: { quote: Pick<Quote, 'lines' | 'promotions'> }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const names = new Map(quote.promotions.map(({ promotion_id, name }) => [promotion_id, name]));
  const lines = quote.lines.filter(({ step }) => !IN_LINES.has(step));
  if (lines.length === 0) return null;
  return (
    <dl className="taking-steps" aria-label={t('taking.explanation')}>
      {lines.map(({ step, ref, amount }, at) => (
        <div key={at}>
          <dt>{(ref && names.get(ref)) ?? t(`taking.step_${step}`)}</dt>
          <dd className="num">{money(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Promotions({ quote, coupon, onGift }: Omit<Props, 'running'> & { quote: Quote }) {
  const { t } = useTranslation();
  const told = toldOf(quote, coupon);
  const applied = told.filter(({ reason }) => !reason);
  const rejected = told.filter(({ reason }) => reason);
  const offers = quote.upsells.filter(({ missing }) => !missing);
  return (
    <>
      {(applied.length > 0 || offers.length > 0) && (
        <ul className="taking-promotions" aria-label={t('taking.promotions')}>
          {applied.map((one) => (
            <Promotion key={one.promotion_id} promotion={one} onGift={onGift} />
          ))}
          {offers.map(({ promotion_id, subproduct_id, quantity, name }) => (
            <li key={`${promotion_id} ${subproduct_id}`}>
              <span>{t('taking.offer', { quantity, name })}</span>
              <GiftButton
                label={t('taking.accept_gift', { name })}
                onClick={() => onGift({ promotion_id, subproduct_id, accepted: true })}
              />
            </li>
          ))}
        </ul>
      )}
      {rejected.length > 0 && (
        <details className="taking-rejected">
          <summary>{t('taking.promotions_rejected', { count: rejected.length })}</summary>
          <ul className="taking-promotions">
            {rejected.map((one) => (
              <Promotion key={one.promotion_id} promotion={one} onGift={onGift} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface PromotionProps {
  promotion: QuotePromotion;
  onGift: Props['onGift'];
}

function Promotion({ promotion, onGift }: PromotionProps) {
  const { t } = useTranslation();
  const { money, number } = useFormat();
  const { promotion_id, name, reason, gifts, to_next_range: missing, discount_type } = promotion;
  const shown =
    missing &&
    (promotion.range_filter_type === 'by_price'
      ? money(missing)
      : t('taking.pieces', { quantity: number(missing) }));
  const said = [
    ...(reason ? [t(`taking.promotion_${reason}`)] : []),
    ...(shown ? [t('taking.missing', { missing: shown })] : []),
    // What can be taken has a button instead.
    ...gifts
      .filter(({ state }) => state === 'unavailable')
      .map((gift) => t('taking.gift_unavailable', { name: gift.name })),
  ];
  const mine = discount_type === 'upsell' ? [] : gifts;
  return (
    <li data-applies={!reason}>
      <span>
        <b>{name}</b>
        {said.length > 0 && <span className="edit-help"> {said.join(' · ')}</span>}
      </span>
      {mine.map(({ subproduct_id, state, name: gift }) =>
        state === 'offered' || state === 'declined' ? (
          <GiftButton
            key={subproduct_id}
            label={t('taking.accept_gift', { name: gift })}
            onClick={() => onGift({ promotion_id, subproduct_id, accepted: true })}
          />
        ) : state === 'given' ? (
          <GiftButton
            key={subproduct_id}
            label={t('taking.decline_gift', { name: gift })}
            onClick={() => onGift({ promotion_id, subproduct_id, accepted: false })}
          />
        ) : null,
      )}
    </li>
  );
}

function GiftButton({ label, onClick }: { label: string; onClick: () => void }) {
  const locked = useLocked();
  return (
    <Button size="small" icon={<GiftOutlined />} disabled={locked} onClick={onClick}>
      {label}
    </Button>
  );
}
