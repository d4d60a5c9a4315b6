import { BellOutlined } from '@ant-design/icons';
import { App } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNarrow } from '../../../lib/hooks';
import { useTitleFlash } from './useTitleFlash';
import './alerts.css';

/** A notification goes away by itself after this, in seconds. */
const POPUP_S = 5;
const KEY = 'new-orders';

interface Arrival {
  id: string;
  /** `A-012 · Kovács Réka · 11 470 Ft`, or just the number. */
  text: string;
}

/**
 * Announces arrived orders: a popup (optional), a flashing title until the page is visible, and a line for
 * screen readers where there is no popup. Several orders are one message.
 */
export function useAlerts({ popup, onOpen }: { popup: boolean; onOpen?: () => void }): {
  announceAll: (arrivals: Arrival[]) => void;
  spoken: string;
} {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const [unseen, setUnseen] = useState(0);
  const [spoken, setSpoken] = useState('');
  const narrow = useNarrow();
  const recent = useRef<Arrival[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const open = useRef(onOpen);
  open.current = onOpen;

  useTitleFlash(
    unseen === 0
      ? undefined
      : unseen === 1
        ? t('fresh.title_one')
        : t('fresh.title_many', { number: unseen }),
  );

  useEffect(() => {
    const seen = () => setUnseen(0);
    addEventListener('focus', seen);
    return () => {
      removeEventListener('focus', seen);
      clearTimeout(timer.current);
      notification.destroy(KEY);
    };
  }, [notification]);

  const announceAll = useCallback(
    (arrivals: Arrival[]) => {
      if (arrivals.length === 0) return;
      recent.current = [...recent.current, ...arrivals];
      const all = recent.current;
      setUnseen((number) => number + arrivals.length);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        recent.current = [];
        // A visible page has shown it by now.
        if (document.hasFocus()) setUnseen(0);
        setSpoken('');
      }, POPUP_S * 1000);
      const title = all.length === 1 ? t('fresh.new_one') : t('fresh.new_many', { number: all.length });
      const text = all.map((arrival) => arrival.text);
      if (!popup) return setSpoken([title, ...text].join(', '));
      notification.info({
        key: KEY,
        title: <b>{title}</b>,
        description:
          all.length <= 3
            ? text.map((line, i) => <div key={all[i]!.id}>{line}</div>)
            : text.map((line) => line.split(' · ')[0]).join(', '),
        duration: POPUP_S,
        role: 'status',
        // At the bottom it covers no button that somebody is about to press.
        placement: narrow ? 'top' : 'bottom',
        icon: <BellOutlined className="order-popup-icon" />,
        className: 'order-popup',
        onClick: () => {
          notification.destroy(KEY);
          open.current?.();
        },
      });
    },
    [narrow, notification, popup, t],
  );
  return { announceAll, spoken };
}
