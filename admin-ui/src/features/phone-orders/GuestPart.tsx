import { UserAddOutlined, UserOutlined } from '@ant-design/icons';
import { Alert, type InputRef } from 'antd';
import { type Ref, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShadowCustomerByPhone } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { focusSoon, useLocked } from '../../lib/form/fieldState';
import type { Draft } from '../../lib/form/useDraft';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import { formatPhone } from '../order/phone';
import { doubtOf } from './doubt';
import type { PhoneDraft } from './draft';
import { TextField } from './fields';
import { NameFields } from './NameFields';
import { focusIfGone } from './focus';
import { LastOrders, type LastOrdersProps } from './LastOrders';
import type { Guest } from './useGuest';

interface Props extends Pick<LastOrdersProps, 'onAgain'> {
  form: Draft<PhoneDraft>;
  guest: Guest;
  inputRef: Ref<InputRef>;
}

/** Who calls: the number, whose it is, name and e-mail. */
export function GuestPart({ form, guest, inputRef, onAgain }: Props) {
  const { t } = useTranslation();
  const { draft, set, read } = form;
  const { language } = useFormat();
  const [editing, setEditing] = useState(false);
  // What looks wrong is said when the number was said, not while it is typed.
  const [told, setTold] = useState(false);
  const doubt = told ? doubtOf(draft.phone) : undefined;
  const { customer } = guest;
  const fault = ['last_name', 'first_name', 'email'].some((path) => path in form.faults);
  const fields = !customer || editing || fault || !(draft.last_name || draft.first_name);
  const shown = guest.asked || Boolean(draft.last_name || draft.first_name || draft.phone) || fault;
  // Whoever goes on to the names while the number is looked for stands in fields that are not needed any more.
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (!fields) focusIfGone(latest.current);
  }, [fields]);
  const edit = () => {
    setEditing(true);
    focusSoon(language === 'hu' ? 'last_name' : 'first_name');
  };
  const look = () => {
    setTold(true);
    guest.look();
  };
  // Of a number that stands there since before the page was loaded anew, passing through it asks nothing: what is
  // found would change an order that may be in already.
  const typed = useRef(false);
  return (
    <Card title={t('phone_orders.guest')} className="phone-part">
      <TextField
        path="phone"
        warning={doubt && t(`phone_orders.doubt_${doubt}`)}
        label={t('phone_orders.phone')}
        help={guest.asked || draft.phone.trim() === '' ? undefined : t('phone_orders.look_hint')}
        required
        maxLength={40}
        inputMode="tel"
        inputRef={inputRef}
        value={draft.phone}
        onChange={(phone) => {
          setTold(false);
          typed.current = true;
          guest.type(phone);
        }}
        onPressEnter={look}
        onBlur={() => typed.current && look()}
        // Pasted whole, in whatever spelling: nobody has to press Enter.
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text');
          setTimeout(() => guest.look(form.read().phone || pasted));
        }}
      />
      <div role="status">
        {guest.searching && <p className="edit-help">{t('phone_orders.searching')}</p>}
        {guest.error && <ProblemAlert error={guest.error} />}
        {guest.noNumber && <Alert type="warning" showIcon title={t('phone_orders.no_number')} />}
        {customer === null && (
          <p className="phone-new">
            <UserAddOutlined aria-hidden /> {t('phone_orders.new_guest')}
          </p>
        )}
        {customer && <KnownGuest customer={customer} draft={draft} editing={fields} onEdit={edit} />}
      </div>
      {shown && fields && <Names form={form} />}
      {customer && customer.orders.length > 0 && <LastOrders orders={customer.orders} onAgain={onAgain} />}
      {shown && (
        <TextField
          path="message"
          label={t('phone_orders.message')}
          maxLength={1000}
          value={draft.message}
          onChange={(message) => set({ message })}
        />
      )}
    </Card>
  );
}

function Names({ form }: Pick<Props, 'form'>) {
  const { t } = useTranslation();
  const { draft, set } = form;
  return (
    <>
      <div className="phone-pair">
        <NameFields form={form} required />
      </div>
      <TextField
        path="email"
        label={t('phone_orders.email')}
        maxLength={254}
        inputMode="email"
        value={draft.email}
        onChange={(email) => set({ email })}
      />
    </>
  );
}

interface KnownGuestProps {
  customer: ShadowCustomerByPhone;
  draft: PhoneDraft;
  editing: boolean;
  onEdit: () => void;
}

/** The customer whom the number belongs to, with what staff should know. */
function KnownGuest({ customer, draft, editing, onEdit }: KnownGuestProps) {
  const { t } = useTranslation();
  const { dateTime, language } = useFormat();
  const locked = useLocked();
  const names = language === 'hu' ? [draft.last_name, draft.first_name] : [draft.first_name, draft.last_name];
  return (
    <div className="phone-known">
      <p>
        <UserOutlined aria-hidden /> <b>{names.filter(Boolean).join(' ') || customer.name}</b>{' '}
        <span className="num">{formatPhone(customer.phone_1 ?? draft.phone)}</span>
      </p>
      <p className="edit-help">
        {customer.last_order_at
          ? t('phone_orders.known', { count: customer.order_number, at: dateTime(customer.last_order_at) })
          : t('phone_orders.known_new')}
      </p>
      {customer.note && <Alert type="info" showIcon title={customer.note} />}
      {!editing && (
        <Button size="small" disabled={locked} onClick={onEdit}>
          {t('phone_orders.other_name')}
        </Button>
      )}
    </div>
  );
}
