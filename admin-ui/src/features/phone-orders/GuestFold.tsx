import { EditOutlined, EnvironmentOutlined, ShoppingOutlined, UserOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useLocked } from '../../lib/form/fieldState';
import { useMedia } from '../../lib/hooks';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { addressLine } from '../order/model';
import { formatPhone } from '../order/phone';
import { focusFirst, focusNext, isTouch } from './focus';
import { LastOrders, type LastOrdersProps } from './LastOrders';
import { useFold } from './useFold';
import type { PhoneOrder } from './usePhoneOrder';

/** Where the guest's part stands above the menu. */
const STACKED = '(max-width: 1199.98px)';

/** The guest's part, and how it is opened. */
export function useGuestFold(order: PhoneOrder) {
  const stacked = useMedia(STACKED);
  // What had the focus is not seen any more.
  return useFold(order, stacked, (part) => {
    const now = document.activeElement;
    if (now !== document.body && !part.contains(now)) return;
    // A keyboard that opens by itself would cover the menu.
    if (isTouch()) focusFirst(['.phone-fold-open']);
    else focusNext(order.form.read());
  });
}

interface Props extends Pick<LastOrdersProps, 'onAgain'> {
  order: PhoneOrder;
  fold: ReturnType<typeof useGuestFold>;
  children: ReactNode;
}

/** The guest's part, or one line of it. What stands in it is kept. */
export function GuestFold({ order, fold, onAgain, children }: Props) {
  const { customer } = order.guest;
  return (
    <div className="phone-column">
      {fold.folded && (
        <Card className="phone-part phone-fold">
          <Line
            order={order}
            onOpen={() => {
              fold.unfold();
              setTimeout(() => fold.part.current?.focus());
            }}
          />
          {customer && <LastOrders orders={customer.orders} onAgain={onAgain} most={1} />}
        </Card>
      )}
      <div
        className="phone-fold-part"
        ref={fold.part}
        tabIndex={-1}
        hidden={fold.folded}
        onBlur={fold.onBlur}
      >
        {children}
      </div>
    </div>
  );
}

function Line({ order, onOpen }: { order: PhoneOrder; onOpen: () => void }) {
  const { t } = useTranslation();
  const { language, money } = useFormat();
  const locked = useLocked();
  const { draft } = order.form;
  const { last_name, first_name } = draft;
  const names = language === 'hu' ? [last_name, first_name] : [first_name, last_name];
  const winner = draft.pickup ? undefined : order.region.check?.winner;
  return (
    <div className="phone-fold-line">
      <div>
        <p>
          <UserOutlined aria-hidden /> <b>{names.filter(Boolean).join(' ')}</b>{' '}
          <span className="num">{formatPhone(draft.phone)}</span>
        </p>
        <p>
          {draft.pickup ? <ShoppingOutlined aria-hidden /> : <EnvironmentOutlined aria-hidden />}{' '}
          {draft.pickup ? t('phone_orders.way_pickup') : addressLine(draft.address, language)}
          {winner && (
            <>
              {' · '}
              {winner.name} <span className="num">{money(winner.price)}</span>
            </>
          )}
        </p>
        {draft.message.trim() && <p className="edit-help">„{draft.message.trim()}”</p>}
      </div>
      <Button
        className="phone-fold-open"
        size="small"
        icon={<EditOutlined />}
        disabled={locked}
        aria-expanded={false}
        onClick={onOpen}
      >
        {t('phone_orders.unfold')}
      </Button>
    </div>
  );
}
