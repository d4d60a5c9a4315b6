import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  paymentMethodsList,
  paymentMethodsSave,
  restaurantsDelivery,
} from '../../generated/client/restaurants/restaurants';
import { fields } from '../../generated/fields/restaurants_delivery.gen';
import type { RestaurantPaymentMethod } from '../../generated/model';
import { useCan } from '../../lib/access';
import { useSettings } from '../../lib/crud';
import { InstantSwitch } from '../../lib/crud/InstantSwitch';
import { useFormat } from '../../lib/format';
import { here, useRestaurant, useRestaurantUpdate } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import { ErrorState, Loading, ProblemAlert } from '../../lib/ui/states';
import { useUnsaved } from '../../lib/form/unsaved';
import { usePreorder } from '../delivery-and-take-away/preorder';
import { useGettingStarted } from './api';
import { Part, saved } from './FormSteps';
import type { StepProps } from './Guide';

const KEY = ['payment_methods', 'guide'];

/** Whether somebody has done this item of the list. */
const useDone = (key: string) =>
  useGettingStarted().data?.items.find((item) => item.key === key)?.done ?? true;

/** How guests get their food, now at once and before with its limits, and how they pay for it. */
export function FoodStep({ onSave, onSaved }: StepProps) {
  const { t } = useTranslation();
  const may = useCan()('payment_method');
  const { version, normal_delivery, normal_pickup } = useRestaurant();
  const update = useRestaurantUpdate();
  const notify = useNotify();
  const state = useSettings({ resource: 'restaurants_delivery', fields });
  const preorder = usePreorder();
  const decided = useDone('delivery');
  const payment = useRef<() => Promise<boolean>>(undefined);
  // A switch has been saved: the list above follows.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => onSaved(), [version]);
  onSave(async () => {
    if (!(await saved(state))) return false;
    // Going on is the answer, also when it is the usual one.
    if (!decided) {
      try {
        update(await restaurantsDelivery(...here(), { normal_delivery, normal_pickup }));
      } catch (failure) {
        notify.problem(failure);
        return false;
      }
    }
    return (await payment.current?.()) ?? true;
  });
  return (
    <>
      <Card title={t('guide.ways')}>
        <InstantSwitch resource="restaurants_delivery" field="normal_delivery" />
        <InstantSwitch resource="restaurants_delivery" field="normal_pickup" />
      </Card>
      <Part state={state} layout={[preorder.group]} overrides={preorder.overrides} />
      {may && (
        <Payment
          onSave={(save) => {
            payment.current = save;
          }}
        />
      )}
    </>
  );
}

/** Ways to pay that need no account at a provider; those have their own screen. */
function Payment({ onSave }: Pick<StepProps, 'onSave'>) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: () => paymentMethodsList(...here()),
    refetchOnWindowFocus: false,
  });
  return (
    <Card title={t('guide.payment')}>
      {data ? (
        <Choice methods={data} onSave={onSave} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading rows={4} />
      )}
    </Card>
  );
}

function Choice({ methods, onSave }: { methods: RestaurantPaymentMethod[] } & Pick<StepProps, 'onSave'>) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const cache = useQueryClient();
  const decided = useDone('payment_methods');
  const [chosen, setChosen] = useState<string[]>(() =>
    methods.filter((method) => method.enabled).map((method) => method.id),
  );
  const [touched, setTouched] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    // Going on is the answer, also when it is the usual one.
    if (!touched && decided) return true;
    setError(undefined);
    try {
      await paymentMethodsSave(...here(), { payment_method_ids: chosen });
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
  const usable = methods.filter((method) => !method.paid_online && method.needs.length === 0);
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} onClose={() => setError(undefined)} />}
      <p className="setting-lead">{t('guide.payment_text')}</p>
      <Checkbox.Group
        className="guide-methods"
        value={chosen}
        options={usable.map((method) => ({
          value: method.id,
          label: language === 'hu' ? method.name : method.name_en,
          disabled: method.always_available,
        }))}
        onChange={(next) => {
          const online = chosen.filter((id) => !usable.some((method) => method.id === id));
          setChosen([...online, ...next]);
          setTouched(true);
        }}
      />
    </>
  );
}
