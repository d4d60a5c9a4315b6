import {
  ArrowLeftOutlined,
  CheckOutlined,
  DeleteOutlined,
  EditOutlined,
  PrinterOutlined,
  UndoOutlined,
} from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../lib/access';
import { Button } from '../../lib/ui/Button';
import { DropMenu } from '../../lib/ui/DropMenu';
import { canAccept, canArchive, canChange, canPrepare, canRecall, canTakeBack, type Order } from './model';
import { isChild } from './payments/model';
import type { OrderActions } from './useOrderActions';
import { usePrintItems } from './usePrint';
import { useStornoRight } from './useStornoRight';

interface Props {
  order: Order;
  actions: OrderActions;
  onBack: () => void;
  onArchive: () => void;
  onChange: () => void;
}

/** The buttons of the page's header; accepting has its own card. */
export function OrderButtons({ order, actions, onBack, onArchive, onChange }: Props) {
  const { t } = useTranslation();
  const can = useCan();
  const printItems = usePrintItems();
  const mayPrepare = can('order_accept');
  const busy = actions.busy(order.id);
  const storno = useStornoRight();
  return (
    <>
      <Button icon={<ArrowLeftOutlined />} onClick={onBack}>
        {t('action.back')}
      </Button>
      {!isChild(order) && (
        <DropMenu menu={{ items: printItems(order) }}>
          <Button icon={<PrinterOutlined />}>{t('order.print')}</Button>
        </DropMenu>
      )}
      {canChange(order) && (
        <Button icon={<EditOutlined />} disabled={busy} onClick={onChange}>
          {t('order.change_do')}
        </Button>
      )}
      {mayPrepare && canPrepare(order) && (
        <Button
          type="primary"
          icon={<CheckOutlined />}
          disabled={busy}
          onClick={() => void actions.prepare(order)}
        >
          {t('order.prepare')}
        </Button>
      )}
      {mayPrepare && canTakeBack(order) && (
        <Button icon={<UndoOutlined />} disabled={busy} onClick={() => void actions.takeBack(order)}>
          {t('order.take_back')}
        </Button>
      )}
      {mayPrepare && canRecall(order) && (
        <Button icon={<UndoOutlined />} disabled={busy} onClick={() => void actions.prepare(order, false)}>
          {t('order.recall')}
        </Button>
      )}
      {canArchive(order) && storno.may && (
        <Button danger icon={<DeleteOutlined />} disabled={busy} onClick={onArchive}>
          {canAccept(order) && can('order_accept') ? t('order.refuse') : t('order.storno')}
        </Button>
      )}
    </>
  );
}
