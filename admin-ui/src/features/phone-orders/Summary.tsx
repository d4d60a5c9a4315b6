import { SendOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../lib/form/FormAlert';
import { useFault } from '../../lib/form/fieldState';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { CartList } from '../order-taking/CartList';
import type { Book } from '../order-taking/menu';
import { withChoice } from '../order-taking/promotions';
import { QuoteView, Total } from '../order-taking/QuoteView';
import { reasonsAt } from '../order-taking/reasons';
import { Reasons } from '../order-taking/Reasons';
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
  return (
    <Card title={t('taking.cart')} className="phone-part">
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

/** The total and the button, always in sight. */
export function SendBar({ order, book, onSend }: Pick<Props, 'order' | 'book'> & { onSend: () => void }) {
  const { t } = useTranslation();
  const { state, running, reasons, maybeSent, form } = order;
  const general = reasonsAt(reasons, 'order');
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
      <Reasons reasons={general} book={book} />
      <div className="phone-send-line">
        <Total running={running} />
        <Button
          type="primary"
          size="large"
          icon={<SendOutlined />}
          loading={state.saving}
          disabled={running.stale && !state.unknown && form.draft.cart.lines.length > 0}
          onClick={onSend}
        >
          {t(state.unknown ? 'phone_orders.send_again' : 'phone_orders.send')}
        </Button>
      </div>
    </section>
  );
}
