import { Alert, Input } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldStateContext } from '../../../lib/form/fieldState';
import { useDraft } from '../../../lib/form/useDraft';
import { useSave } from '../../../lib/form/useSave';
import { FieldRow } from '../../../lib/form/FieldRow';
import { ApiError } from '../../../lib/http';
import { useHotkey } from '../../../lib/hooks';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { SideDrawer } from '../../../lib/ui/SideDrawer';
import { ProblemAlert } from '../../../lib/ui/states';
import { same } from '../../../lib/form/body';
import { TextField } from '../../phone-orders/fields';
import { NameFields } from '../../phone-orders/NameFields';
import { withPin } from '../ApproverPin';
import type { Order } from '../model';
import { useOrderWords } from '../parts';
import { changeOrder, useRehearsal } from './api';
import { ChangePin } from './ChangePin';
import {
  type ChangeDraft,
  changeBody,
  draftOf,
  faultsOf,
  needsPin,
  isEmpty,
  missing,
  needsContact,
  placeOf,
} from './model';
import type { PartProps } from './parts';
import { PlacePart } from './PlacePart';
import { Preview, TotalLine } from './Preview';
import { lookAt } from './seen';
import { HandOverPart, PaymentPart, WhenPart } from './TermsParts';
import '../../../lib/form/draft.css';
import '../../phone-orders/phone.css';
import '../../order-taking/taking.css';
import '../order.css';
import './change.css';

interface Props {
  order: Order;
  /** It was changed, or somebody else was faster: it is to be read again. */
  onChanged: (order?: Order) => void;
  onClose: () => void;
}

/** The order as it was opened, what is edited of it, and what it would be. */
function useChange({ order, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const words = useOrderWords();
  // What others do meanwhile moves nothing under the hands; it is told when this is sent.
  const [opened] = useState(order);
  const [seen, setSeen] = useState({ version: order.version, overtaken: false });
  const form = useDraft<ChangeDraft>({
    start: () => draftOf(opened),
    differ: (draft, base) => !same({ ...draft, pin: '' }, { ...base, pin: '' }),
    validate: (draft) => faultsOf(opened, draft),
    place: placeOf,
  });
  const { draft } = form;
  const body = useMemo(() => changeBody(opened, draft), [opened, draft]);
  const whole = Object.keys(missing(opened, draft)).length === 0;
  const rehearsal = useRehearsal({ id: opened.id, version: seen.version }, body, whole && !isEmpty(body));
  const save = useSave<ChangeDraft, ChangeDraft, Order>({
    values: form,
    bodyOf: (values) => values,
    send: (values, key) => {
      const edited = changeBody(opened, values);
      const changed = { ...edited, version: seen.version };
      return withPin(
        () => changeOrder(opened.id, changed, key, needsPin(edited) ? values.pin : '').catch(overtaken),
        () => form.set({ pin: '' }, ''),
      );
    },
    onSaved: (after) => {
      lookAt(after);
      notify.success(t('order.change_done', { name: words.name(after) }));
      onChanged(after);
      onClose();
    },
  });
  /** Somebody was faster: what was typed stays, over what the order is by now. */
  const overtaken = (failure: unknown): never => {
    const current = failure instanceof ApiError && (failure.problem.current as Order | undefined);
    if (failure instanceof ApiError && failure.code === 'ORDER_STATE_CHANGED' && current) {
      onChanged();
      if (current.allowed.includes('change')) {
        setSeen({ version: current.version, overtaken: true });
      } else {
        notify.info(t('order.changed', { name: words.name(current) }), t('order.change_too_late'));
        onClose();
      }
    }
    throw failure;
  };
  return { opened, form, body, rehearsal, save, overtaken: seen.overtaken };
}

/** Changes an order: contact, place, time, payment, message, courier; shows what it costs before it is sent. */
export default function ChangeDrawer(props: Props) {
  const { order, onClose } = props;
  const { t } = useTranslation();
  const words = useOrderWords();
  const { opened, form, body, rehearsal, save, overtaken } = useChange(props);
  const { faults } = form;
  const busy = save.saving || save.unknown;
  const state = useMemo(() => ({ faults, busy, locked: busy }), [faults, busy]);
  const send = () => void save.run();
  const close = () => void save.ask().then((go) => go && onClose());
  const empty = isEmpty(body);
  useHotkey('ctrl+enter', send, !empty);
  useHotkey('ctrl+s', send, !empty);
  const conflict = save.error instanceof ApiError && save.error.code === 'ORDER_STATE_CHANGED';
  return (
    <SideDrawer
      title={t('order.change_title', { name: words.name(order) })}
      width={600}
      onClose={close}
      footer={
        <div className="form-buttons">
          <TotalLine order={opened} rehearsal={rehearsal} />
          <span className="form-buttons-gap" />
          <Button onClick={close}>{t('action.cancel')}</Button>
          <Button type="primary" loading={save.saving} disabled={empty} onClick={send}>
            {t('order.change_save')}
          </Button>
        </div>
      }
    >
      <FieldStateContext.Provider value={state}>
        <div role="status">
          {overtaken && (
            <Alert
              className="order-notice"
              type="warning"
              showIcon
              title={t('order.change_overtaken')}
              description={t('order.change_overtaken_text')}
            />
          )}
        </div>
        <ContactPart order={opened} form={form} />
        <HandOverPart order={opened} form={form} />
        <PlacePart order={opened} form={form} rehearsal={rehearsal} />
        <WhenPart form={form} />
        <PaymentPart order={opened} form={form} rehearsal={rehearsal} />
        <Preview order={opened} empty={empty} rehearsal={rehearsal} />
        {needsPin(body) && <ChangePin pin={form.draft.pin} onChange={(pin) => form.set({ pin })} />}
        {save.error !== undefined && !conflict && <ProblemAlert error={save.error} />}
      </FieldStateContext.Provider>
    </SideDrawer>
  );
}

function ContactPart({ order, form }: PartProps) {
  const { t } = useTranslation();
  const { draft, set } = form;
  const required = needsContact(order);
  return (
    <fieldset className="change-part">
      <legend>{t('order.change_contact')}</legend>
      <div className="change-pair">
        <NameFields form={form} />
      </div>
      <div className="change-pair">
        <TextField
          path="phone_1"
          label={t('order.change_of_phone_1')}
          required={required}
          inputMode="tel"
          maxLength={40}
          value={draft.phone_1}
          onChange={(phone_1) => set({ phone_1 })}
        />
        <TextField
          path="email"
          label={t('order.email')}
          inputMode="email"
          maxLength={254}
          value={draft.email}
          onChange={(email) => set({ email })}
        />
      </div>
      <FieldRow path="message" label={t('order.change_of_message')}>
        {(control) => (
          <Input.TextArea
            {...control}
            maxLength={1000}
            autoSize={{ minRows: 1, maxRows: 5 }}
            value={draft.message}
            onChange={(event) => set({ message: event.target.value })}
          />
        )}
      </FieldRow>
    </fieldset>
  );
}
