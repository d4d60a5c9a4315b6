import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { discountsCopy, discountsDelete, discountsUpdate } from '../../generated/client/orders/orders';
import type { Discount } from '../../generated/model';
import { usePageUrl } from '../../lib/navigation';
import { here } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import { useRefreshDiscounts } from './api';

type Named = Pick<Discount, 'id' | 'name'>;

/** Archives a promotion after a question; `leave` goes away from what shows it. */
export function useRemoveDiscount(): (row: Discount, leave?: () => void | Promise<void>) => Promise<void> {
  const { t } = useTranslation();
  const notify = useNotify();
  const refresh = useRefreshDiscounts();
  return async (row, leave) => {
    const sure = await notify.confirm({
      title: t('discounts.archive_ask', { name: row.name }),
      effect: t(
        row.discount_type === 'coupon' ? 'discounts.archive_effect_coupon' : 'discounts.archive_effect',
      ),
      verb: t('discounts.archive'),
    });
    if (!sure) return;
    try {
      await discountsDelete(...here(), row.id);
    } catch (error) {
      notify.problem(error);
      refresh();
      return;
    }
    notify.success(t('discounts.archived_now', { name: row.name }));
    await leave?.();
    refresh({ gone: row.id });
  };
}

/** Sends a copy; a coupon's needs a code of its own. */
export const sendCopy = (row: Named, code: string | undefined, key: string): Promise<Discount> =>
  discountsCopy(...here(), row.id, code ? { code } : {}, { 'Idempotency-Key': key });

/** Says that a copy is there, and opens it. */
export function useOpenCopy(): (made: Discount) => void {
  const { t } = useTranslation();
  const notify = useNotify();
  const navigate = useNavigate();
  const url = usePageUrl();
  const refresh = useRefreshDiscounts();
  return (made) => {
    refresh({ row: made });
    notify.success(t('discounts.copied', { name: made.name }), t('discounts.copied_off'));
    void navigate(url('discounts', made.id));
  };
}

/** Copies what needs no code, with the same key until it is answered. */
export function useCopyDiscount(): (row: Named) => Promise<void> {
  const { work } = useWork();
  const open = useOpenCopy();
  return (row) => work(async (keyFor) => open(await sendCopy(row, undefined, keyFor(row, row.id))));
}

/** Takes a switch back, after the row has left the list with it. */
export function useUndoActive(): (row: Named, active: boolean) => void {
  const { t } = useTranslation();
  const notify = useNotify();
  const refresh = useRefreshDiscounts();
  return (row, active) => {
    refresh();
    notify.undo(t(active ? 'setting.switched_on' : 'setting.switched_off', { name: row.name }), async () => {
      await discountsUpdate(...here(), row.id, { active: !active });
      refresh();
    });
  };
}
