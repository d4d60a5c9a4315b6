import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RestaurantPaymentMethod } from '../../generated/model';
import { useCan } from '../../lib/access';
import { InstantSwitch } from '../../lib/crud/InstantSwitch';
import { useFormat } from '../../lib/format';
import { request } from '../../lib/http';
import { fillPath, useRestaurant } from '../../lib/target';
import { Card } from '../../lib/ui/page';
import { ErrorState, Loading, ProblemAlert } from '../../lib/ui/states';
import { useUnsaved } from '../../lib/unsaved';
import { useGettingStarted } from './api';
import type { StepProps } from './Guide';

const path = () => fillPath('/admin/partners/{partner_id}/restaurants/{restaurant_id}/payment-methods');
const KEY = ['payment_methods', 'guide'];

/** How guests get their food, which takes effect at once, and how they pay for it. */
export function FoodStep({ onSave, onSaved }: StepProps) {
  const { t } = useTranslation();
  const may = useCan()('payment_method');
  const { version } = useRestaurant();
  // A switch has been saved: the list above follows.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => onSaved(), [version]);
  return (
    <>
      <Card title={t('guide.ways')}>
        <InstantSwitch resource="restaurants_delivery" field="normal_delivery" />
        <InstantSwitch resource="restaurants_delivery" field="normal_pickup" />
        <InstantSwitch resource="restaurants_delivery" field="preorder_delivery" />
        <InstantSwitch resource="restaurants_delivery" field="preorder_pickup" />
      </Card>
      {may && <Payment onSave={onSave} />}
    </>
  );
}

/** Ways to pay that need no account at a provider; those have their own screen. */
function Payment({ onSave }: Pick<StepProps, 'onSave'>) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: async () => (await request<RestaurantPaymentMethod[]>(path())).data, refetchOnWindowFocus: false });
  return (
    <Card title={t('guide.payment')}>
      {data ? <Choice methods={data} onSave={onSave} /> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading rows={4} />}
    </Card>
  );
}

function Choice({ methods, onSave }: { methods: RestaurantPaymentMethod[] } & Pick<StepProps, 'onSave'>) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const cache = useQueryClient();
  const decided = useGettingStarted().data?.items.find((item) => item.key === 'payment_methods')?.done ?? true;
  const [chosen, setChosen] = useState<string[]>(() => methods.filter((method) => method.enabled).map((method) => method.id));
  const [touched, setTouched] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    // Going on is the answer, also when it is the usual one.
    if (!touched && decided) return true;
    setError(undefined);
    try {
      await request(path(), { method: 'PUT', body: { payment_method_ids: chosen } });
      setTouched(false);
      guard.clean();
      void cache.invalidateQueries({ queryKey: ['payment_methods'] });
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    }
  };
  const guard = useUnsaved({ dirty: touched, save });
  onSave(save);
  const here = methods.filter((method) => !method.paid_online && method.needs.length === 0);
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} onClose={() => setError(undefined)} />}
      <p className="setting-lead">{t('guide.payment_text')}</p>
      <Checkbox.Group
        className="guide-methods"
        value={chosen}
        options={here.map((method) => ({ value: method.id, label: language === 'hu' ? method.name : method.name_en, disabled: method.always_available }))}
        onChange={(next) => {
          const online = chosen.filter((id) => !here.some((method) => method.id === id));
          setChosen([...online, ...next]);
          setTouched(true);
        }}
      />
    </>
  );
}
