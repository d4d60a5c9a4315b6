import { Checkbox, Form } from 'antd';
import { useEffect, useRef } from 'react';
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
import { useForget, useRead } from '../../lib/query';
import { here, useRestaurant, useRestaurantUpdate } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { InputForm } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { usePreorder } from '../delivery-and-take-away/preorder';
import { useGettingStarted } from './api';
import { Part, saved } from './FormSteps';
import type { StepProps } from './stepProps';

/** How guests get their food, now at once and before with its limits, and how they pay for it. */
export function FoodStep({ onSave, onSaved }: StepProps) {
  const { t } = useTranslation();
  const may = useCan()('payment_method');
  const { version, normal_delivery, normal_pickup } = useRestaurant();
  const update = useRestaurantUpdate();
  const notify = useNotify();
  const state = useSettings({ resource: 'restaurants_delivery', fields });
  const preorder = usePreorder();
  const decided = useGettingStarted().data?.items.find((item) => item.key === 'delivery')?.done ?? true;
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
  const query = useRead('paymentMethodsList', () => paymentMethodsList(...here()), {
    refetchOnWindowFocus: false,
  });
  return (
    <Card title={t('guide.payment')}>
      {query.data ? (
        <Choice methods={query.data} onSave={onSave} />
      ) : (
        <QueryFallback query={query} rows={4} />
      )}
    </Card>
  );
}

const VIEWS = ['web', 'pos'] as const;
type View = (typeof VIEWS)[number];
const belongsTo = (view: View, method: RestaurantPaymentMethod) =>
  view === 'web' ? method.type_web || method.type_app : method.type_phone || method.type_in_place;
const isOn = (view: View, method: RestaurantPaymentMethod) =>
  view === 'web' ? method.enabled_web : method.enabled_pos;

/** What is saved of each view in which one of the methods `changed` can be used; the others stay as they are there. */
export function methodsByView(methods: RestaurantPaymentMethod[], changed: ReadonlyMap<string, boolean>) {
  return VIEWS.map((view) => ({ view, usable: methods.filter((method) => belongsTo(view, method)) }))
    .filter(({ usable }) => usable.some((method) => changed.has(method.id)))
    .map(({ view, usable }) => ({
      view,
      payment_method_ids: usable
        .filter((method) => changed.get(method.id) ?? isOn(view, method))
        .map((method) => method.id),
    }));
}

function Choice({ methods, onSave }: { methods: RestaurantPaymentMethod[] } & Pick<StepProps, 'onSave'>) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const forget = useForget();
  const usable = methods.filter((method) => !method.paid_online && method.needs.length === 0);
  const chosen = usable.filter((method) => method.enabled).map((method) => method.id);
  const form = useInputForm<{ payment_method_ids: string[] }>({
    initial: { payment_method_ids: chosen },
    repeatable: true,
    send: async ({ payment_method_ids: ids }) => {
      const changed = usable.filter((method) => method.enabled !== ids.includes(method.id));
      const bodies = methodsByView(methods, new Map(changed.map((method) => [method.id, !method.enabled])));
      // One after the other: both change the restaurant's choice.
      for (const body of bodies) await paymentMethodsSave(...here(), body);
    },
    onDone: () => void forget(['payment_methods']),
  });
  onSave(async () => !form.dirty || form.submit());
  return (
    <InputForm state={form} name="guide-payment">
      <p className="setting-lead">{t('guide.payment_text')}</p>
      <Form.Item name="payment_method_ids" className="guide-payment">
        <Checkbox.Group
          className="guide-methods"
          options={usable.map((method) => ({
            value: method.id,
            label: language === 'hu' ? method.name : method.name_en,
            disabled: method.always_available,
          }))}
        />
      </Form.Item>
    </InputForm>
  );
}
