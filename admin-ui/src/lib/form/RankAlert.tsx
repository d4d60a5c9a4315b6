import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { FormAlert } from './FormAlert';
import type { RankForm } from './useRankForm';

/** Above the rows: that they have changed meanwhile, or why the order was not saved. */
export function RankAlert<T>({ form }: { form: RankForm<T> }) {
  const { t } = useTranslation();
  if (!form.changed) return <FormAlert state={form} />;
  return (
    <Alert
      className="page-alert"
      type="warning"
      showIcon
      role="alert"
      title={t('list.order_outdated')}
      description={t('list.order_outdated_text')}
    />
  );
}
