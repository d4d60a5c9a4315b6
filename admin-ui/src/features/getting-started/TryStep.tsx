import { CheckCircleFilled, SendOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { request } from '../../lib/http';
import { IdempotencyKeys } from '../../lib/idempotency';
import { usePageUrl } from '../../lib/navigation';
import { fillPath, useRestaurant } from '../../lib/target';
import { Card } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import type { StepProps } from './Guide';

interface Category {
  children?: Category[];
  products: { subproducts: { id: string; name: string; available: boolean; option_group_ids: string[] }[] }[];
}

/** Orders need a number; the restaurant's own rings nowhere else. */
const ANY_PHONE = '+36 1 555 0100';

const here = (rest: string) => fillPath(`/partners/{partner_id}/restaurants/{restaurant_id}/${rest}`);
const all = (categories: readonly Category[]): Category['products'][number]['subproducts'] =>
  categories.flatMap((category) => [...category.products.flatMap((product) => product.subproducts), ...all(category.children ?? [])]);

/** An order that goes the whole way and counts nowhere. */
export function TryStep({ onSaved }: StepProps) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const { phone_1 } = useRestaurant();
  const keys = useRef(new IdempotencyKeys());
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const [problem, setProblem] = useState<string>();
  const [sent, setSent] = useState<{ counter: string | null }>();
  const send = async () => {
    setSending(true);
    setError(undefined);
    setProblem(undefined);
    try {
      const { data: menu } = await request<{ categories: Category[] }>(here('menu?channel=phone'));
      const items = all(menu.categories).filter((item) => item.available);
      // Without options nothing has to be chosen.
      const item = items.find((one) => one.option_group_ids.length === 0) ?? items[0];
      if (!item) return setProblem(t('guide.try_no_menu'));
      const body = {
        platform: 'phone', pickup: true, is_test: true, first_name: t('guide.try_guest'), last_name: t('guide.try_guest_last'), phone_1: phone_1 ?? ANY_PHONE,
        payment_method: 'cash', message: t('guide.try_message'), items: [{ subproduct_id: item.id, quantity: 1 }],
      };
      const { data } = await request<{ counter: string | null }>(here('orders'), { method: 'POST', body, headers: { 'Idempotency-Key': keys.current.keyFor(body) } });
      keys.current.done();
      setSent(data);
      onSaved();
    } catch (failure) {
      setError(failure);
    } finally {
      setSending(false);
    }
  };
  return (
    <Card title={t('guide.try_title')}>
      {error !== undefined && <ProblemAlert error={error} onClose={() => setError(undefined)} />}
      <p className="setting-lead">{t('guide.try_text')}</p>
      <div role="status">
        {problem && <p className="guide-problem">{problem}</p>}
        {sent && (
          <p className="guide-sent">
            <CheckCircleFilled className="guide-done" aria-hidden /> {t('guide.try_sent', { counter: sent.counter ?? '' })}{' '}
            <Link to={url('fresh_orders')}>{t('guide.try_look')}</Link>
          </p>
        )}
      </div>
      <Button icon={<SendOutlined />} loading={sending} onClick={() => void send()}>{t(sent ? 'guide.try_again' : 'guide.try_send')}</Button>
    </Card>
  );
}
