import { SendOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { FormAlert } from '../../lib/form/FormAlert';
import { useFault, useLocked } from '../../lib/form/fieldState';
import { useEstimate } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { CartList } from '../order-taking/CartList';
import type { Book } from '../order-taking/menu';
import { withChoice } from '../order-taking/promotions';
import { QuoteView, Total } from '../order-taking/QuoteView';
import { reasonsAt } from '../order-taking/reasons';
import { Reasons } from '../order-taking/Reasons';
import { focusFirst, focusNextSoon, SEND } from './focus';
import type { CartWork } from './useCart';
import type { PhoneOrder } from './usePhoneOrder';

interface Props {
  order: PhoneOrder;
  book: Book;
  cart: CartWork;
}

/** What is ordered, and what it costs. */
export function CartPart({ order, book, cart }: Props) {
  const { t } = useTranslation();
  const { form, running, reasons } = order;
  const { draft } = form;
  const fault = useFault('cart');
  const locked = useLocked();
  return (
    <Card title={t('taking.cart')} className="phone-part">
      {draft.cart_of_other && draft.cart.lines.length > 0 && (
        <Alert
          className="page-alert"
          type="warning"
          showIcon
          title={t('phone_orders.cart_of_other')}
          action={
            <Button
              size="small"
              disabled={locked}
              onClick={() => {
                cart.empty();
                focusNextSoon(form.read);
              }}
            >
              {t('phone_orders.cart_empty')}
            </Button>
          }
          closable={{
            onClose: () => {
              cart.keep();
              focusNextSoon(form.read);
            },
            'aria-label': t('phone_orders.cart_keep'),
          }}
        />
      )}
      {draft.cart.lines.length === 0 ? (
        <p className={fault ? 'edit-fault' : 'edit-help'} role={fault ? 'alert' : undefined}>
          {fault ?? t('taking.cart_empty')}
        </p>
      ) : (
        <CartList
          cart={draft.cart}
          book={book}
          priced={running.quote?.items ?? []}
          stale={running.stale}
          reasons={reasons}
          onQuantity={cart.quantity}
          onChange={cart.edit}
          onRemove={cart.remove}
        />
      )}
      <QuoteView
        running={running}
        coupon={draft.coupon_code !== ''}
        onGift={(choice) => form.set({ gift_choices: withChoice(draft.gift_choices, choice) })}
      />
    </Card>
  );
}

/** Fields that are called otherwise than their path. */
const LABELS: Readonly<Record<string, string>> = {
  cart: 'taking.cart',
  delivery_region_id: 'phone_orders.region',
  payment_method_id: 'phone_orders.payment',
  coupon_code: 'phone_orders.coupon',
};
const labelOf = (path: string) => LABELS[path] ?? `phone_orders.${path.replace('.', '_')}`;

/** A tip that nobody has chosen is told beside the total that has it in it, and goes with one press. */
function UsualTip({ order: { form, tip, running } }: Pick<Props, 'order'>) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const locked = useLocked();
  if (form.draft.tip.by !== 'default' || tip === undefined || !running.quote) return null;
  return (
    <div className="phone-tip">
      <span>
        {t('phone_orders.tip_usual')} <span className="num">{money(tip)}</span>
      </span>
      <Button
        size="small"
        disabled={locked}
        onClick={() => {
          form.set({ tip: { by: 'none' } });
          focusFirst([SEND]);
        }}
      >
        {t('phone_orders.tip_remove')}
      </Button>
    </div>
  );
}

/** The total and the button, always in sight. */
export function SendBar({ order, book, onSend }: Pick<Props, 'order' | 'book'> & { onSend: () => void }) {
  const { t } = useTranslation();
  const { state, running, reasons, maybeSent, form, refused, waiting, atOnce } = order;
  const estimate = useEstimate();
  const general = refused ? reasons : reasonsAt(reasons, 'order');
  const wrong = Object.keys(form.faults).map((path) => t(labelOf(path)));
  return (
    <section className="phone-send" aria-label={t('phone_orders.send_bar')}>
      <FormAlert state={state} />
      {maybeSent && !state.unknown && (
        <Alert
          className="page-alert"
          type="warning"
          showIcon
          title={t('phone_orders.maybe_sent')}
          description={t('phone_orders.maybe_sent_text')}
        />
      )}
      {wrong.length > 0 && (
        <p className="edit-fault" role="alert">
          {t('phone_orders.wrong', { fields: wrong.join(', ') })}
        </p>
      )}
      <div role={refused ? 'alert' : undefined}>
        {refused && <b>{t('phone_orders.refused')}</b>}
        <Reasons reasons={general} book={book} coupon={form.draft.coupon_code} />
      </div>
      {waiting && (
        <p className="edit-help" role="status">
          {t(`phone_orders.waiting_${waiting}`)}
        </p>
      )}
      <UsualTip order={order} />
      {atOnce && (
        <p className="edit-help">
          {t(form.draft.later ? 'phone_orders.at_once_later' : 'phone_orders.at_once', { minutes: estimate })}
        </p>
      )}
      <div className="phone-send-line">
        <Total running={running} />
        <Button
          type="primary"
          size="large"
          icon={<SendOutlined />}
          loading={state.saving || waiting !== undefined}
          onClick={onSend}
        >
          {t(`phone_orders.${state.unknown ? 'send_again' : atOnce ? 'send_accept' : 'send'}`)}
        </Button>
      </div>
    </section>
  );
}
