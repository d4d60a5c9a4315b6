import { Alert, InputNumber, Select, Switch } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { Card } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { FieldRow } from '../../lib/form/FieldRow';
import { type DraftForm } from '../../lib/form/useDraftForm';
import { useBusy } from '../../lib/form/fieldState';
import { usePeopleFound, useTemplates } from './api';
import { DISCOUNT, type Draft, sorted } from './draft';
import { PermissionTree } from './PermissionTree';
import { type Editor, isFree, mayGrantAll } from './rights';
import { replace, type Tree } from './tree';
import type { Admin } from './types';
import { noEffectYet } from '../../generated/no-effect.gen';
import { NoEffect } from '../../lib/fields/NoEffect';

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
  const held = useMemo(() => new Set(draft.permissions), [draft.permissions]);
  const mayAll = mayGrantAll(editor);
  const put = (keys: Iterable<string>) => {
    const permissions = sorted(tree, keys);
    // The discount goes with its right.
    set(
      permissions.includes(DISCOUNT) ? { permissions } : { permissions, max_discount_percent: '' },
      'permissions',
    );
  };
  return (
    <Card title={t('users.rights')}>
      <div className="edit-switch">
        <label className="target">
          <Switch
            id="field-full_target_access"
            checked={draft.full_target_access}
            disabled={locked || busy || !mayAll}
            onChange={(full_target_access) => set({ full_target_access })}
            aria-describedby="field-full-help"
          />
        </label>
        <div>
          <label htmlFor="field-full_target_access">{t('users.full')}</label>
          <p className="edit-help" id="field-full-help">
            {t(mayAll || locked ? 'users.full_help' : 'users.full_locked')}
          </p>
        </div>
      </div>
      {!locked && <Shortcuts state={state} tree={tree} editor={editor} held={held} put={put} />}
      {draft.full_target_access && (
        <Alert className="users-note" type="info" showIcon title={t('users.lock_full')} />
      )}
      <PermissionTree
        tree={tree}
        editor={editor}
        held={held}
        full={draft.full_target_access}
        locked={locked || busy}
        onChange={put}
        extra={(key) =>
          key === DISCOUNT ? <Discount draft={draft} set={set} locked={locked || busy} /> : null
        }
      />
    </Card>
  );
}

/** A template or another person's rights in one go; what the editor may not give is left out, and said. */
function Shortcuts({
  state,
  tree,
  editor,
  held,
  put,
}: Omit<Props, 'locked'> & { held: ReadonlySet<string>; put: (keys: Iterable<string>) => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const notify = useNotify();
  const templates = useTemplates();
  const [wantsPeople, setWantsPeople] = useState(false);
  const [text, setText] = useState('');
  const people = usePeopleFound(text, wantsPeople);
  const { set, draft } = state;

  const take = (ids: readonly string[], full: boolean, from: string, rest: Partial<Draft> = {}) => {
    const wanted = new Set(ids.flatMap((id) => tree.byId.get(id)?.key ?? []));
    const { keys, left } = replace(tree, held, wanted, (key) => isFree(editor, key));
    put(keys);
    const allowed = full && mayGrantAll(editor);
    set({ full_target_access: allowed, ...rest });
    if (left.length > 0 || (full && !allowed))
      notify.info(
        t('users.taken_in_part', { from }),
        t('users.left_out', {
          names:
            left.map((key) => tree.byKey.get(key)!.permission.name[language]).join(', ') || t('users.full'),
        }),
      );
    else notify.info(t('users.taken', { from }));
  };
  // Somebody new has no role yet, though one of them may grant just as little.
  const untouched = state.isNew && draft.permissions === state.base.permissions;
  const chosen = untouched
    ? undefined
    : draft.full_target_access
      ? 'owner'
      : templates.data?.find(
          (role) =>
            !role.full_target_access &&
            role.permission_ids.length === held.size &&
            role.permission_ids.every((id) => held.has(tree.byId.get(id)?.key ?? '')),
        )?.key;
  return (
    <div className="field-line">
      <FieldRow path="template" label={t('users.template')} help={t('users.template_help')}>
        {(control) => (
          <Select
            {...control}
            className="edit-wide"
            placeholder={t('users.template_choose')}
            loading={templates.isLoading}
            value={chosen ?? null}
            options={templates.data?.map((role) => ({
              value: role.key,
              label: language === 'hu' ? role.name_hu : role.name_en,
              disabled: role.full_target_access && !mayGrantAll(editor),
            }))}
            onChange={(key: string | null) => {
              const role = templates.data?.find((r) => r.key === key);
              // The owner's ids say everything; the switch alone does.
              if (role)
                take(
                  role.full_target_access
                    ? [...held].flatMap((k) => tree.byKey.get(k)?.id ?? [])
                    : role.permission_ids,
                  role.full_target_access,
                  language === 'hu' ? role.name_hu : role.name_en,
                );
            }}
          />
        )}
      </FieldRow>
      <FieldRow path="copy" label={t('users.copy')} help={t('users.copy_help')}>
        {(control) => (
          <Select
            {...control}
            className="edit-wide"
            placeholder={t('users.copy_choose')}
            value={null}
            loading={people.isFetching}
            onOpenChange={(open) => open && setWantsPeople(true)}
            showSearch={{ filterOption: false, onSearch: setText }}
            notFoundContent={people.isFetching ? t('state.loading') : t('state.no_match')}
            options={people.data
              ?.filter((person) => person.id !== state.row?.id)
              .map((person) => ({ value: person.id, label: person.name || person.email }))}
            onChange={(id: string | null) => {
              const other = people.data?.find((person) => person.id === id);
              if (other)
                take(other.permission_ids, other.full_target_access, other.name || other.email, {
                  surfaces: other.surfaces,
                  max_discount_percent:
                    other.max_discount_percent == null ? '' : String(other.max_discount_percent),
                });
            }}
          />
        )}
      </FieldRow>
    </div>
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
      help={
        <>
          {t('users.max_discount_help')} <NoEffect of={noEffectYet['AdminChange.max_discount_percent']} />
        </>
      }
      className="perm-extra"
    >
      {(control) => (
        <InputNumber<string>
          {...control}
          className="edit-money"
          stringMode
          min="0"
          max="100"
          suffix="%"
          controls={false}
          disabled={locked}
          value={draft.max_discount_percent === '' ? null : draft.max_discount_percent}
          onChange={(value) => set({ max_discount_percent: value ?? '' })}
        />
      )}
    </FieldRow>
  );
}
