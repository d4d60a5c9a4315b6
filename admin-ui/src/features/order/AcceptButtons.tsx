import { CheckOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEstimate } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { ACCEPT_MINUTES, type OrderRow } from './model';
import './accept.css';

/**
 * Minutes that accepting promises by itself: the restaurant's estimate as things are; nothing for a preorder, which has its
 * time.
 */
export function useDefaultMinutes(): (order: OrderRow) => number | undefined {
  const estimate = useEstimate();
  return (order) => (order.is_preorder ? undefined : estimate);
}

interface Props {
  order: OrderRow;
  busy: boolean;
  onAccept: (minutes: number | undefined) => void;
  /** Behind the choices: more actions. */
  extra?: ReactNode;
}

/** The board's main action in one tap, and below it the other promises, in one tap too. */
export function AcceptButtons({ order, busy, onAccept, extra }: Props) {
  const { t } = useTranslation();
  const minutes = useDefaultMinutes()(order);
  const label = minutes === undefined ? t('order.accept') : t('order.accept_minutes', { minutes });
  const others = minutes === undefined ? [] : ACCEPT_MINUTES.filter((choice) => choice !== minutes);
  return (
    <div className="accept" data-alone={others.length === 0}>
      <Button
        type="primary"
        className="accept-main"
        icon={<CheckOutlined />}
        loading={busy}
        disabled={busy}
        onClick={() => onAccept(minutes)}
      >
        {label}
      </Button>
      <div className="accept-others" role="group" aria-label={t('order.accept_other')}>
        {others.map((choice) => (
          <Button
            key={choice}
            className="accept-choice num"
            disabled={busy}
            aria-label={t('order.accept_minutes', { minutes: choice })}
            onClick={() => onAccept(choice)}
          >
            {choice}
            <span className="accept-unit" aria-hidden>
              {t('order.minute_short')}
            </span>
          </Button>
        ))}
        {extra}
      </div>
    </div>
  );
}
