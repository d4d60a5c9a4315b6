import { DeleteOutlined, EditOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { useFocusAfterRow } from '../../lib/ui/focus';
import { useNotify } from '../../lib/ui/notify';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { useWork } from '../../lib/ui/work';
import { type Filter, filterOf } from './filter';
import { NameDialog } from './NameDialog';
import type { Saved, SavedFilters } from './saved';
import { useFilterWords } from './useWords';
import '../../lib/form/draft.css';

interface Props {
  all: SavedFilters;
  apply: (filter: Filter) => void;
  onClose: () => void;
}

/** All saved filters with what they say. */
export function SavedDrawer({ all, apply, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { doing, work } = useWork<string>();
  const [renaming, setRenaming] = useState<Saved>();
  const remove = (one: Saved) =>
    void work(async () => {
      await all.remove(one);
      notify.undo(t('state.deleted', { name: one.name }), () => all.restore(one));
    }, one.id);
  return (
    <SideDrawer title={t('previous.saved')} width={560} onClose={onClose}>
      {all.saved.length === 0 ? (
        <p className="edit-lead">{t('previous.saved_none')}</p>
      ) : (
        <ul className="previous-saved" aria-label={t('previous.saved')}>
          {all.saved.map((one) => (
            <SavedRow
              key={one.id}
              saved={one}
              busy={doing === one.id}
              onPick={() => {
                apply(filterOf(one.filter));
                onClose();
              }}
              onRename={() => setRenaming(one)}
              onRemove={() => remove(one)}
            />
          ))}
        </ul>
      )}
      {renaming && (
        <NameDialog
          title={t('previous.rename_title', { name: renaming.name })}
          verb={t('action.save')}
          name={renaming.name}
          send={(name) => all.rename(renaming, name)}
          onClose={() => setRenaming(undefined)}
        />
      )}
    </SideDrawer>
  );
}

interface RowProps {
  saved: Saved;
  busy: boolean;
  onPick: () => void;
  onRename: () => void;
  onRemove: () => void;
}

function SavedRow({ saved, busy, onPick, onRename, onRemove }: RowProps) {
  const { t } = useTranslation();
  const words = useFilterWords()(filterOf(saved.filter)).map(({ text }) => text);
  const row = useFocusAfterRow<HTMLLIElement>();
  return (
    <li ref={row}>
      <div className="previous-saved-text">
        <Button type="link" onClick={onPick}>
          {saved.name}
        </Button>
        <p className="edit-help">{words.join('; ')}</p>
      </div>
      <Button
        type="text"
        icon={<EditOutlined />}
        aria-label={t('previous.rename', { name: saved.name })}
        onClick={onRename}
      />
      <Button
        type="text"
        danger
        icon={<DeleteOutlined />}
        loading={busy}
        aria-label={t('previous.remove', { name: saved.name })}
        onClick={onRemove}
      />
    </li>
  );
}
