import { Alert } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../lib/ui/page';
import { FieldRow } from '../../lib/form/FieldRow';
import { type DraftForm } from '../../lib/form/useDraftForm';
import { useBusy } from '../../lib/form/fieldState';
import { DISCOUNT, type Draft, sorted } from './draft';
import { PermissionTree } from './PermissionTree';
import { SwitchRow } from './parts';
import { type Editor, mayGrantAll } from './rights';
import { Shortcuts } from './Shortcuts';
import type { Tree } from './tree';
import type { Admin } from './types';
import { NumberInput } from '../../lib/ui/NumberInput';

interface Props {
  state: DraftForm<Admin, Draft>;
  tree: Tree;
  editor: Editor;
  locked: boolean;
}

/** What the person may do: everything, a template, somebody else's rights, or key by key. */
export function Rights({ state, tree, editor, locked }: Props) {
  const { t } = useTranslation();
  const { draft, set } = state;
  const busy = useBusy();
  const granted = useMemo(() => new Set(draft.permissions), [draft.permissions]);
  const mayAll = mayGrantAll(editor);
  const setKeys = (keys: Iterable<string>) => {
    const permissions = sorted(tree, keys);
    // The discount goes with its right.
    set(
      permissions.includes(DISCOUNT) ? { permissions } : { permissions, max_discount_percent: '' },
      'permissions',
    );
  };
  return (
    <Card title={t('users.rights')}>
      <SwitchRow
        name="full_target_access"
        label={t('users.full')}
        help={t(mayAll || locked ? 'users.full_help' : 'users.full_locked')}
        checked={draft.full_target_access}
        disabled={locked || busy || !mayAll}
        onChange={(full_target_access) => set({ full_target_access })}
      />
      {!locked && <Shortcuts state={state} tree={tree} editor={editor} granted={granted} setKeys={setKeys} />}
      {draft.full_target_access && (
        <Alert className="users-note" type="info" showIcon title={t('users.lock_full')} />
      )}
      <PermissionTree
        tree={tree}
        editor={editor}
        granted={granted}
        full={draft.full_target_access}
        locked={locked || busy}
        onChange={setKeys}
        extra={(key) =>
          key === DISCOUNT ? <Discount draft={draft} set={set} locked={locked || busy} /> : null
        }
      />
    </Card>
  );
}

/** How large a discount the person may give at the till; belongs to its right. */
function Discount({
  draft,
  set,
  locked,
}: {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  locked: boolean;
}) {
  const { t } = useTranslation();
  return (
    <FieldRow
      path="max_discount_percent"
      label={t('users.max_discount')}
      help={t('users.max_discount_help')}
      className="perm-extra"
    >
      {(control) => (
        <NumberInput<string>
          {...control}
          className="edit-money"
          stringMode
          min="0"
          max="100"
          suffix="%"
          disabled={locked}
          value={draft.max_discount_percent === '' ? null : draft.max_discount_percent}
          onChange={(value) => set({ max_discount_percent: value ?? '' })}
        />
      )}
    </FieldRow>
  );
}
