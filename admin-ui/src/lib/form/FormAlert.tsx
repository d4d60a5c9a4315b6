import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { ProblemAlert } from '../ui/states';
import type { SaveState } from './useSave';
import '../crud/form.css';

/** Above the fields: that nobody knows whether it was saved, or why it was not. */
export function FormAlert({ state }: { state: SaveState }) {
  const { t } = useTranslation();
  if (state.unknown)
    return (
      <Alert
        className="page-alert"
        type="warning"
        showIcon
        role="alert"
        title={t('form.unknown')}
        description={t('form.unknown_text')}
      />
    );
  return state.error === undefined ? null : (
    <ProblemAlert error={state.error} keys={state.errorKeys} onClose={state.dismissError} />
  );
}
