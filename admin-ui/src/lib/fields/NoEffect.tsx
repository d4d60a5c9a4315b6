import { useTranslation } from 'react-i18next';
import { Chip } from '../ui/page';
import type { NoEffectYet } from './kinds';

/** Says beside a setting that nothing acts on it yet, and why. */
export function NoEffect({ of, what }: { of: NoEffectYet; what?: string }) {
  const { t, i18n } = useTranslation();
  const why = i18n.language === 'hu' ? of.hu : of.en;
  return (
    <span className="no-effect">
      <Chip tone="warning">{t('field.no_effect')}</Chip> {what ? `${what}: ${why}` : why}
    </span>
  );
}
