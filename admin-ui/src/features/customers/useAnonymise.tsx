import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ShadowCustomerDetails } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { usePage } from '../../lib/navigation';
import { useNotify } from '../../lib/ui/notify';
import { useCustomerCalls } from './calls';

const GOES = ['name', 'contact', 'addresses', 'notes'] as const;
const STAYS = ['orders', 'ledger'] as const;

/** What goes and what stays, before it is done: nothing brings it back. */
function Effect() {
  const { t } = useTranslation();
  return (
    <div className="customer-effect">
      <p>{t('customers.anonymise_goes')}</p>
      <ul>
        {GOES.map((what) => (
          <li key={what}>{t(`customers.anonymise_goes_${what}`)}</li>
        ))}
      </ul>
      <p>{t('customers.anonymise_stays')}</p>
      <ul>
        {STAYS.map((what) => (
          <li key={what}>{t(`customers.anonymise_stays_${what}`)}</li>
        ))}
      </ul>
      <p>
        <b>{t('customers.anonymise_final')}</b>
      </p>
    </div>
  );
}

/** Anonymises a customer after a question, or says what stands in its way. `clean` forgets what was typed. */
export function useAnonymise(): (row: ShadowCustomerDetails, clean: () => void) => Promise<void> {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const { open } = usePage();
  const notify = useNotify();
  const calls = useCustomerCalls();
  return async (row, clean) => {
    const name = row.name || t('customers.nameless');
    const sure = await notify.confirm({
      title: t('customers.anonymise_ask', { name }),
      effect: <Effect />,
      verb: t('customers.anonymise'),
    });
    if (!sure) return;
    try {
      await calls.anonymise(row.id);
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'IN_USE')
        modal.warning({
          title: t('customers.anonymise_not_yet'),
          content: t('customers.anonymise_not_yet_text'),
          okText: t('action.close'),
        });
      else notify.problem(failure);
      return;
    }
    clean();
    await open(undefined, { replace: true });
    calls.forget(row.id);
    notify.success(t('customers.anonymised'));
  };
}
