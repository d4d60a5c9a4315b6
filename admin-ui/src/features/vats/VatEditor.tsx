import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/vats.gen';
import { FormDrawer, useResourceForm } from '../../lib/crud';
import { useNotify } from '../../lib/ui/notify';

interface Props {
  /** None: a new rate. */
  id: string | undefined;
  onClose: () => void;
  onAnother: () => void;
}

/** A VAT rate. Its percent is fixed once it is there: menus and orders depend on it. */
export function VatEditor({ id, onClose, onAnother }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const state = useResourceForm({
    resource: 'vats',
    fields,
    id,
    initial: { country_id: 'HU' },
    toBody: (body) => body,
  });
  const name = String(state.row?.name_local ?? '');
  return (
    <FormDrawer
      state={state}
      resource="vats"
      fields={fields}
      layout={['name_local', 'name_en', ['percent', 'country_id']]}
      overrides={{ percent: { unit: '%', disabled: id !== undefined } }}
      name={name}
      title={id === undefined ? t('vats.new') : name || t('state.loading')}
      onClose={onClose}
      onAnother={onAnother}
      history="restaurant"
      removal={{
        verb: t('vats.archive'),
        title: t('vats.archive_title', { name }),
        effect: t('vats.archive_effect'),
      }}
      onRemoved={() => notify.success(t('vats.archived_done', { name }))}
    />
  );
}
