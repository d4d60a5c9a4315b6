import { UndoOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../../lib/access';
import { featureByKey } from '../../../lib/features';
import { useLocked } from '../../../lib/form/fieldState';
import { usePageUrl } from '../../../lib/navigation';
import { Button } from '../../../lib/ui/Button';
import { useEditUrl } from '../links';
import type { Inherited } from './inherit';

type From = Omit<Inherited<unknown>, 'value'>;

/** "az étteremből", "a kategóriából: Italok". */
export function useOriginText(): (from: From) => string {
  const { t } = useTranslation();
  return ({ origin, name }) =>
    name ? t('inherit.from_named', { from: t(`inherit.from_${origin}`), name }) : t(`inherit.from_${origin}`);
}

/** Where a value is set that comes from elsewhere, for who may open that. */
function useOriginUrl(): (from: From, settings: string | undefined) => string | undefined {
  const can = useCan();
  const url = usePageUrl();
  const [editCategory, editGroup] = [useEditUrl(), useEditUrl('options')];
  return ({ origin, id }, settings) => {
    if (origin === 'restaurant') {
      const screen = settings === undefined ? undefined : featureByKey(settings);
      return screen && can(...screen.permission) ? url(screen.key) : undefined;
    }
    if (!id) return undefined;
    return origin === 'option_group' ? editGroup(id) : editCategory(id);
  };
}

/** The same as a link to where it is set. `settings` is the screen of what the restaurant says. */
export function OriginLink({ from, settings }: { from: From; settings?: string | undefined }) {
  const text = useOriginText()(from);
  const to = useOriginUrl()(from, settings);
  return to ? <Link to={to}>{text}</Link> : text;
}

interface HoldsProps {
  from: Inherited<unknown>;
  /** The value above in words; nothing: no level says anything. */
  word: string | undefined;
  /** The row has a value of its own. */
  own: boolean;
  settings?: string | undefined;
}

/** What a row inherits and from where, or what it would inherit without its own value. */
export function Holds({ from, word, own, settings }: HoldsProps) {
  const { t } = useTranslation();
  const key = own ? 'inherit.would_be' : 'inherit.inherits_value';
  if (word === undefined) return t(key, { value: t('ntak.nobody') });
  return (
    <>
      {t(key, { value: `${word},` })} <OriginLink from={from} settings={settings} />
    </>
  );
}

/** The way back to what is inherited; nothing while it is, and for who may not edit. */
export function InheritAgain({ own, label, onClick }: { own: boolean; label: string; onClick: () => void }) {
  const { t } = useTranslation();
  const locked = useLocked();
  if (!own || locked) return null;
  return (
    <Button
      type="link"
      size="small"
      icon={<UndoOutlined />}
      aria-label={t('inherit.reset_of', { label })}
      onClick={onClick}
    >
      {t('inherit.reset')}
    </Button>
  );
}
