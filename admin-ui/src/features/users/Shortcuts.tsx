import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { FieldRow } from '../../lib/form/FieldRow';
import type { DraftForm } from '../../lib/form/useDraftForm';
import { useNotify } from '../../lib/ui/notify';
import { usePeopleFound, useTemplates } from './api';
import type { Draft } from './draft';
import { type Editor, isFree, mayGrantAll } from './rights';
import { replace, type Tree } from './tree';
import type { Admin } from './types';

interface Props {
  state: DraftForm<Admin, Draft>;
  tree: Tree;
  editor: Editor;
  /** The keys that the person has now. */
  granted: ReadonlySet<string>;
  setKeys: (keys: Iterable<string>) => void;
}

/** A template or another person's rights in one go; what the editor may not give is left out, and said. */
export function Shortcuts(props: Props) {
  const apply = useApplyRights(props);
  return (
    <div className="field-line">
      <Template {...props} apply={apply} />
      <CopyOf {...props} apply={apply} />
    </div>
  );
}

/** Rights of a template or of somebody else. */
interface RightsSource {
  permissionIds: readonly string[];
  full: boolean;
  /** Name of the person or role. */
  name: string;
  /** Other fields of the draft to copy. */
  rest?: Partial<Draft>;
}
type ApplyRights = (source: RightsSource) => void;

/** Replaces what the editor may give, and tells what was left out. */
function useApplyRights({ state, tree, editor, granted, setKeys }: Props): ApplyRights {
  const { t } = useTranslation();
  const { language } = useFormat();
  const notify = useNotify();
  return ({ permissionIds, full, name, rest = {} }) => {
    const wanted = new Set(permissionIds.flatMap((id) => tree.byId.get(id)?.key ?? []));
    const { keys, left } = replace(tree, granted, wanted, (key) => isFree(editor, key));
    setKeys(keys);
    const allowed = full && mayGrantAll(editor);
    state.set({ full_target_access: allowed, ...rest });
    if (left.length > 0 || (full && !allowed))
      notify.info(
        t('users.taken_in_part', { from: name }),
        t('users.left_out', {
          names:
            left.map((key) => tree.byKey.get(key)!.permission[`name_${language}`]).join(', ') ||
            t('users.full'),
        }),
      );
    else notify.info(t('users.taken', { from: name }));
  };
}

function Template({ state, tree, editor, granted, apply }: Props & { apply: ApplyRights }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const templates = useTemplates();
  const { draft } = state;
  // A new user has no role, although a role may grant as little.
  const untouched = state.isNew && draft.permissions === state.base.permissions;
  const chosen = untouched
    ? undefined
    : draft.full_target_access
      ? 'owner'
      : templates.data?.find(
          (role) =>
            !role.full_target_access &&
            role.permission_ids.length === granted.size &&
            role.permission_ids.every((id) => granted.has(tree.byId.get(id)?.key ?? '')),
        )?.key;
  return (
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
            // A role with full access is set by the switch alone; its list of keys would repeat it.
            if (role)
              apply({
                permissionIds: role.full_target_access
                  ? [...granted].flatMap((k) => tree.byKey.get(k)?.id ?? [])
                  : role.permission_ids,
                full: role.full_target_access,
                name: language === 'hu' ? role.name_hu : role.name_en,
              });
          }}
        />
      )}
    </FieldRow>
  );
}

/** The rights of another person. */
function CopyOf({ state, apply }: Props & { apply: ApplyRights }) {
  const { t } = useTranslation();
  const [wantsPeople, setWantsPeople] = useState(false);
  const [text, setText] = useState('');
  const people = usePeopleFound(text, wantsPeople);
  return (
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
              apply({
                permissionIds: other.permission_ids,
                full: other.full_target_access,
                name: other.name || other.email,
                rest: {
                  surfaces: other.surfaces,
                  max_discount_percent:
                    other.max_discount_percent == null ? '' : String(other.max_discount_percent),
                },
              });
          }}
        />
      )}
    </FieldRow>
  );
}
