import { LockOutlined, SearchOutlined } from '@ant-design/icons';
import { Checkbox, Input } from 'antd';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NoEffect } from '../../lib/fields/NoEffect';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { NothingMatches } from '../../lib/ui/states';
import { fieldId } from '../../lib/form/fieldState';
import { type Editor, keyLock, type Lock } from './rights';
import { hasEffect, below, matching, type Node, stateOf, toggle, type Tree } from './tree';

interface Props {
  tree: Tree;
  editor: Editor;
  granted: ReadonlySet<string>;
  full: boolean;
  /** Why nothing can be changed at all. */
  locked: boolean;
  onChange: (keys: Set<string>) => void;
  /** Shown below a key that is granted. */
  extra?: (key: string) => ReactNode;
}

/** The permission tree: search, three-state boxes, the reason beside each box that cannot be changed. */
export function PermissionTree(props: Props) {
  const { tree, granted, full } = props;
  const { t } = useTranslation();
  const { language } = useFormat();
  const [search, setSearch] = useState('');
  const shown = useMemo(() => matching(tree, search, language), [tree, search, language]);
  const groups = tree.roots.filter((node) => !shown || shown.has(node.key));
  const count = full ? tree.byKey.size : [...granted].filter((key) => tree.byKey.has(key)).length;
  return (
    <div className="perms" id={fieldId('permissions')} tabIndex={-1}>
      <div className="perms-head">
        <Input
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          className="perms-search"
          aria-label={t('users.search_rights')}
          placeholder={t('users.search_rights')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="edit-count num" role="status">
          {t('users.held', { held: count, all: tree.byKey.size })}
        </span>
      </div>
      {groups.length === 0 && <NothingMatches onClear={() => setSearch('')} filters={`„${search}”`} />}
      <div className="perms-groups">
        {groups.map((node) => (
          <Group key={node.key} {...props} node={node} shown={shown} />
        ))}
      </div>
    </div>
  );
}

function Group({ node, shown, ...props }: Props & { node: Node; shown: ReadonlySet<string> | undefined }) {
  const { tree, editor, granted, full, locked, onChange } = props;
  const { t } = useTranslation();
  const { language } = useFormat();
  const inside = below(node);
  const has = (key: string) => full || granted.has(key);
  const givable = inside.filter(
    (child) => !granted.has(child.key) && !keyLock(editor, tree, granted, full, child.key),
  );
  return (
    <section className="perm-group" data-on={has(node.key)}>
      <div className="perm-group-head">
        <Row {...props} node={node} />
        {inside.length > 0 && (
          <span className="edit-count num">
            {inside.filter((child) => has(child.key)).length}/{inside.length}
          </span>
        )}
        {givable.length > 0 && !locked && (
          <Button
            size="small"
            type="link"
            aria-label={t('users.all_of', { name: node.permission[`name_${language}`] })}
            onClick={() =>
              onChange(givable.reduce((keys, child) => toggle(tree, keys, child.key, true), new Set(granted)))
            }
          >
            {t('users.all')}
          </Button>
        )}
      </div>
      {inside.length > 0 && (
        <ul>
          {inside
            .filter((child) => !shown || shown.has(child.key))
            .map((child) => (
              <li key={child.key}>
                <Row {...props} node={child} />
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}

function Row({ tree, editor, granted, full, locked, onChange, extra, node }: Props & { node: Node }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { key, permission } = node;
  const state = full ? 'on' : stateOf(node, granted);
  // What locks everything is said above the tree; what locks one box beside it.
  const lock: Lock | undefined = locked ? undefined : keyLock(editor, tree, granted, full, key);
  const id = `perm-${key}`;
  return (
    <div className="perm">
      <Checkbox
        id={id}
        aria-describedby={`${id}-text`}
        checked={state === 'on' || (state === 'mixed' && node.children.length === 0)}
        indeterminate={state === 'mixed'}
        disabled={locked || lock !== undefined}
        onChange={() => onChange(toggle(tree, granted, key, state === 'off'))}
      >
        {permission[`name_${language}`]}
      </Checkbox>
      <p className="perm-text" id={`${id}-text`}>
        {permission[`description_${language}`]}
        {!hasEffect(node) && (
          <>
            {' '}
            <NoEffect of={{ en: t('users.no_screen'), hu: t('users.no_screen') }} />
          </>
        )}
        {lock && lock !== 'users.lock_full' && (
          <span className="perm-lock">
            <LockOutlined aria-hidden /> {t(lock)}
          </span>
        )}
      </p>
      {state !== 'off' && extra?.(key)}
    </div>
  );
}
