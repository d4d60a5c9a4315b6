import { ArrowLeftOutlined } from '@ant-design/icons';
import { Alert, Input, Select } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { usePage } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { mergeFields } from '../../lib/form/body';
import { DraftPage } from '../../lib/form/DraftFrame';
import { FieldRow } from '../../lib/form/FieldRow';
import { type DraftForm, useDraftForm } from '../../lib/form/useDraftForm';
import { useBusy } from '../../lib/form/fieldState';
import { useEditorRights, usePartnerRestaurants, usePeople } from './api';
import { Credentials } from './Credentials';
import { bodyOf, type Draft, draftOf, faultsOf, freshDraft, placeOf } from './draft';
import { factsOf } from './facts';
import { MenuPreview } from './MenuPreview';
import { StatusChip } from './parts';
import { Place } from './Place';
import { Rights } from './Rights';
import { rowLock } from './rights';
import { StatusCard } from './StatusCard';
import type { Tree } from './tree';
import type { Admin } from './types';

/** One person: who, where, what, and what they see. */
export function PersonEditor({ row, tree }: { row: Admin | null; tree: Tree }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { open } = usePage();
  const notify = useNotify();
  const restaurant = useRestaurant();
  const people = usePeople();
  const rights = useEditorRights();
  const restaurants = usePartnerRestaurants();
  const lock = rowLock(rights, row);
  // Of one's own row, name, phone and language stay open.
  const locked = lock !== undefined;
  const mayEdit = !locked || lock === 'users.lock_own';

  const of = useMemo(
    () => ({
      draft: draftOf(tree),
      body: bodyOf(tree),
      faults: faultsOf(row ? draftOf(tree)(row) : undefined),
    }),
    [tree, row],
  );
  const facts = useMemo(
    () => factsOf(tree, language, (id) => restaurants.data?.find((r) => r.id === id)?.name ?? '…'),
    [tree, language, restaurants.data],
  );
  const state = useDraftForm<Admin, Draft>({
    row,
    fresh: () => freshDraft(restaurant.id, language),
    draftOf: of.draft,
    bodyOf: of.body,
    merge: mergeFields<Draft>,
    validate: of.faults,
    place: (key) => placeOf(key),
    send: async ({ id, body }) => {
      const saved = id === undefined ? await people.create(body) : await people.update(id, body);
      await people.refresh();
      return saved;
    },
  });
  const name = row ? row.name || row.email : t('admins.new');
  const archive = async () => {
    if (
      !row ||
      !(await notify.confirm({
        title: t('users.archive_ask', { name }),
        effect: t('users.archive_effect'),
        verb: t('users.archive'),
      }))
    )
      return;
    try {
      await people.archive(row.id);
      state.clean();
      people.forget(row.id);
      await open('', { replace: true });
      notify.success(t('state.deleted', { name }));
      await people.refresh();
    } catch (error) {
      notify.problem(error);
    }
  };

  return (
    <>
      <PageHeader
        title={name}
        mark={row && <StatusChip status={row.status} />}
        lead={row ? row.email : t('users.new_lead')}
        actions={
          <Button icon={<ArrowLeftOutlined />} onClick={() => void open()}>
            {t('users.back')}
          </Button>
        }
      />
      <DraftPage
        form={state}
        factsOf={facts}
        maySave={mayEdit}
        mayEdit={mayEdit}
        faultLabel={(path) => t([`users.${path}`, `field.${path}`])}
        onSaved={(saved) => {
          if (row) return;
          notify.info(
            t(saved.status === 'invited' ? 'users.created_invited' : 'users.created_active', {
              email: saved.email,
            }),
          );
          void open(saved.id, { replace: true });
        }}
        onRemove={row && !locked ? () => void archive() : undefined}
      >
        {lock && <Alert type="info" showIcon title={t(lock)} />}
        <div className="edit-grid">
          <div className="edit-main">
            <Who state={state} locked={locked} own={lock === 'users.lock_own'} />
            <Place state={state} editor={rights} locked={locked} />
            <Rights state={state} tree={tree} editor={rights} locked={locked} />
            <Credentials state={state} locked={locked} />
          </div>
          <div className="edit-side users-side">
            {row && <StatusCard row={row} editor={rights} locked={locked} />}
            <MenuPreview draft={state.draft} tree={tree} />
          </div>
        </div>
      </DraftPage>
    </>
  );
}

/** Name, e-mail, phone, language. */
function Who({ state, locked, own }: { state: DraftForm<Admin, Draft>; locked: boolean; own: boolean }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const busy = useBusy();
  const { draft, set, isNew } = state;
  const off = busy || (locked && !own);
  const text = (field: 'last_name' | 'first_name' | 'tel', label: string, max: number) => (
    <FieldRow key={field} path={field} label={label} required={field === 'last_name'}>
      {(control) => (
        <Input
          {...control}
          autoFocus={isNew && field === (language === 'hu' ? 'last_name' : 'first_name')}
          autoComplete="off"
          maxLength={max}
          disabled={off}
          value={draft[field]}
          onChange={(event) => set({ [field]: event.target.value })}
        />
      )}
    </FieldRow>
  );
  const names = [
    text('last_name', t('field.last_name'), 100),
    text('first_name', t('field.first_name'), 100),
  ];
  return (
    <Card title={t('users.who')}>
      <div className="field-line">{language === 'hu' ? names : names.reverse()}</div>
      <FieldRow
        path="email"
        label={t('field.email')}
        required
        help={isNew ? undefined : t('users.email_help')}
      >
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="off"
            maxLength={254}
            disabled={busy || locked}
            value={draft.email}
            onChange={(event) => set({ email: event.target.value })}
          />
        )}
      </FieldRow>
      <div className="field-line">
        {text('tel', t('users.tel'), 50)}
        <FieldRow path="language" label={t('users.language')} help={t('users.language_help')}>
          {(control) => (
            <Select
              {...control}
              className="edit-wide"
              disabled={off}
              value={draft.language}
              onChange={(value) => set({ language: value })}
              options={(['hu', 'en'] as const).map((code) => ({ value: code, label: t(`language.${code}`) }))}
            />
          )}
        </FieldRow>
      </div>
    </Card>
  );
}
