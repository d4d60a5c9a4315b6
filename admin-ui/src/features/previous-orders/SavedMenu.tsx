import { DownOutlined, EditOutlined, FilterOutlined, SaveOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../../lib/later';
import { Button } from '../../lib/ui/Button';
import { DropMenu } from '../../lib/ui/DropMenu';
import { type Filter, filterOf, isFiltered } from './filter';
import { MOST_SAVED, useSaved } from './saved';

const NameDialog = later(async () => ({ default: (await import('./NameDialog')).NameDialog }), 'over');
const SavedDrawer = later(async () => ({ default: (await import('./SavedDrawer')).SavedDrawer }), 'over');

interface Props {
  filter: Filter;
  apply: (filter: Filter) => void;
}

/** Saved filters: to be picked, the present one to be kept, others to be renamed and deleted. */
export function SavedMenu({ filter, apply }: Props) {
  const { t } = useTranslation();
  const all = useSaved();
  const [open, setOpen] = useState<'new' | 'all'>();
  const full = all.saved.length >= MOST_SAVED;
  return (
    <>
      <DropMenu
        menu={{
          className: 'previous-menu',
          items: [
            ...all.saved.map((one) => ({
              key: one.id,
              icon: <FilterOutlined />,
              label: one.name,
              onClick: () => apply(filterOf(one.filter)),
            })),
            ...(all.saved.length > 0 ? [{ type: 'divider' as const }] : []),
            {
              key: 'new',
              icon: <SaveOutlined />,
              label: t(full ? 'previous.saved_full' : 'previous.save_as'),
              disabled: full || !isFiltered(filter),
              onClick: () => setOpen('new'),
            },
            {
              key: 'all',
              icon: <EditOutlined />,
              label: t('previous.saved_edit'),
              disabled: all.saved.length === 0,
              onClick: () => setOpen('all'),
            },
          ],
        }}
      >
        <Button icon={<FilterOutlined />}>
          {t('previous.saved')} <DownOutlined aria-hidden />
        </Button>
      </DropMenu>
      {open === 'new' && (
        <NameDialog
          title={t('previous.save_as_title')}
          verb={t('action.save')}
          send={(name, key) => all.create(name, filter, key)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'all' && <SavedDrawer all={all} apply={apply} onClose={() => setOpen(undefined)} />}
    </>
  );
}
