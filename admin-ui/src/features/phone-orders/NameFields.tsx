import { useTranslation } from 'react-i18next';
import type { PhoneDraft } from './draft';
import { TextField } from './fields';

type Names = Pick<PhoneDraft, 'last_name' | 'first_name'>;

interface Props {
  form: { draft: Names; set: (change: Partial<Names>, clears?: 'last_name') => void };
  /** The last name must be there. */
  required?: boolean;
}

/** First and last name, in the order in which the language says them. */
export function NameFields({ form: { draft, set }, required = false }: Props) {
  const { t, i18n } = useTranslation();
  const last = (
    <TextField
      key="last_name"
      path="last_name"
      label={t('phone_orders.last_name')}
      required={required}
      maxLength={100}
      value={draft.last_name}
      onChange={(last_name) => set({ last_name })}
    />
  );
  const first = (
    <TextField
      key="first_name"
      path="first_name"
      label={t('phone_orders.first_name')}
      maxLength={100}
      value={draft.first_name}
      onChange={(first_name) => set({ first_name }, 'last_name')}
    />
  );
  return <>{i18n.language === 'hu' ? [last, first] : [first, last]}</>;
}
