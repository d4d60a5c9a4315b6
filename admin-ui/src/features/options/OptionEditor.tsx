import { Select } from 'antd';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { labelOf } from '../../lib/fields/labels';
import { usePageUrl } from '../../lib/navigation';
import { useRead } from '../../lib/query';
import { useNotify } from '../../lib/ui/notify';
import { optionsDelete } from '../../generated/client/catalogue/catalogue';
import { here } from '../../lib/target';
import { pathLabel } from '../categories-and-products/facts';
import { keys, optionCalls, useRefreshCatalogue, whoChanged } from '../categories-and-products/shared/api';
import { mergeFields } from '../../lib/form/body';
import { DraftDrawer } from '../../lib/form/DraftFrame';
import { ExternalIds } from '../categories-and-products/shared/ExternalIds';
import { OPTION_IDS } from '../categories-and-products/shared/externalIds';
import { ActiveField, MoneyInput, TextPair } from '../categories-and-products/shared/fields';
import { useEditUrl } from '../categories-and-products/links';
import { OffAbove, ShownGroup } from '../categories-and-products/shared/cards';
import { FoldedGroup, Group } from '../categories-and-products/shared/Group';
import { OPTION } from '../categories-and-products/shared/groups';
import { useIdsSummary } from '../categories-and-products/shared/summaries';
import { AllergenPicker } from '../categories-and-products/shared/pickers';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { type Level, levelOf, SHOWN } from '../categories-and-products/shared/inherit';
import { sizeLabel, SizeSelect, useSizes } from '../categories-and-products/shared/sizes';
import { useDelete } from '../categories-and-products/shared/parts';
import type { Option, OptionGroup, Visible } from '../categories-and-products/shared/types';
import { type DraftForm, useDraftForm } from '../../lib/form/useDraftForm';
import { useWords } from '../categories-and-products/useWords';
import { NumberInput } from '../../lib/ui/NumberInput';
import { optionFacts } from './facts';
import { newOption, optionBody, type OptionDraft, optionDraft, optionFaults } from './option';

const RESOURCE = 'options';

interface Props {
  group: OptionGroup;
  groups: readonly OptionGroup[];
  /** None: a new option. */
  id: string | undefined;
}

/** An option, over the list of its group. */
export function OptionEditor({ group, groups, id }: Props) {
  const url = usePageUrl();
  const navigate = useNavigate();
  const notify = useNotify();
  const [generation, setGeneration] = useState(0);
  const one = useRead(
    // Where it is known to be: after a move the address still has the group that it was in.
    keys.option(id ?? ''),
    ({ client }) =>
      optionCalls.get(client.getQueryData<Option>(keys.option(id!))?.option_group_id ?? group.id, id!),
    { enabled: id !== undefined },
  );
  // The list stays; what is wrong is said above it.
  useEffect(() => {
    if (!one.isError) return;
    notify.problem(one.error);
    void navigate(url('options', group.id), { replace: true });
    // once per failure
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [one.isError]);
  if (id !== undefined && !one.data) return null;
  return (
    <Form
      key={generation}
      group={group}
      groups={groups}
      row={id === undefined ? null : one.data!}
      onAnother={() => setGeneration((g) => g + 1)}
    />
  );
}

interface FormProps {
  group: OptionGroup;
  groups: readonly OptionGroup[];
  row: Option | null;
  onAnother: () => void;
}

function Form({ group, groups, row, onAnother }: FormProps) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  const remove = useDelete();
  const words = useWords();
  const form = useOptionForm(group, row);
  const deleteRow = (option: Option) =>
    remove(option, () => optionsDelete(...here(), group.id, option.id), {
      inUse: t('options.in_use'),
      gone: [keys.option(option.id)],
      leave: () => {
        form.clean();
        return navigate(url('options', group.id));
      },
    });
  return (
    <DraftDrawer
      form={form}
      whoChanged={whoChanged}
      title={row?.name ?? t('options.new')}
      maySave={can('catalog_edit', 'catalog_activate')}
      mayEdit={can('catalog_edit')}
      factsOf={(d) => optionFacts(d, words)}
      faultLabel={(path) => pathLabel(path, RESOURCE, {})}
      onClose={() => void navigate(url('options', group.id))}
      onSaved={(saved) => void navigate(url('options', saved.option_group_id))}
      onAnother={onAnother}
      onRemove={row && can('catalog_delete') ? () => void deleteRow(row) : undefined}
    >
      <OptionFields form={form} groups={groups} />
    </DraftDrawer>
  );
}

type OptionForm = DraftForm<Option, OptionDraft>;

/** An option as a draft: saved in one call, and moved in another when its group changed. */
function useOptionForm(group: OptionGroup, row: Option | null): OptionForm {
  const refresh = useRefreshCatalogue();
  return useDraftForm<Option, OptionDraft>({
    row,
    fresh: useCallback(() => newOption(group.id), [group.id]),
    draftOf: optionDraft,
    bodyOf: optionBody,
    merge: mergeFields,
    validate: optionFaults,
    send: async ({ id, body: { option_group_id: to, ...body }, key, take }) => {
      let known: Option | undefined;
      try {
        if (id === undefined) return (known = await optionCalls.create(String(to), body, key));
        // Another group is a call of its own, after the rest is saved.
        const own = Object.keys(body).some((field) => field !== 'version');
        known = own ? await optionCalls.update(group.id, id, body) : row!;
        if (to === undefined) return known;
        if (own) take(known);
        return (known = await optionCalls.move(group.id, id, String(to)));
      } finally {
        if (known) void refresh({ own: keys.option(known.id), row: known });
      }
    },
  });
}

function OptionFields({ form, groups }: { form: OptionForm; groups: readonly OptionGroup[] }) {
  const { t } = useTranslation();
  const can = useCan();
  const { draft, set, isNew } = form;
  const home = groups.find((g) => g.id === draft.option_group_id);
  const above = useMemo<Level<Visible>[]>(
    () => [...(home ? [levelOf('option_group', home)] : []), { origin: 'restaurant', own: SHOWN }],
    [home],
  );
  const edit = useEditUrl('options');
  const idsSaid = useIdsSummary();
  return (
    <>
      <Group inner title={t('editor.option_name')}>
        <TextPair resource={RESOURCE} field="name" value={{ ...draft }} onChange={set} required max={100} />
        <FieldRow path="price" label={labelOf(RESOURCE, 'price')} help={t('options.price_help')}>
          {(control) => (
            <MoneyInput
              control={control}
              value={draft.price}
              onChange={(price) => set({ price })}
              placeholder="0"
            />
          )}
        </FieldRow>
        <FieldRow path="option_group_id" label={labelOf(RESOURCE, 'option_group_id')}>
          {(control) => (
            <Select
              {...control}
              className="edit-wide"
              disabled={!can('catalog_edit')}
              showSearch={{ optionFilterProp: 'label' }}
              value={draft.option_group_id}
              onChange={(option_group_id) => set({ option_group_id })}
              options={groups.map((g) => ({ value: g.id, label: g.name }))}
            />
          )}
        </FieldRow>
        <ActiveField
          value={draft.active}
          onChange={(active) => set({ active })}
          help={t('options.active_help')}
          allowed={isNew ? can('catalog_edit') : can('catalog_activate')}
        />
        {home && <OffAbove rows={[home]} edit={edit} />}
        <AllergenPicker
          path="allergenic_ids"
          label={t('field.allergenic_ids')}
          value={draft.allergenic_ids}
          onChange={(allergenic_ids) => set({ allergenic_ids })}
        />
      </Group>
      <StandsFor form={form} />
      <ShownGroup value={draft} onChange={set} above={above} />
      <FoldedGroup
        inner
        title={t('editor.other_systems')}
        said={idsSaid(RESOURCE, OPTION_IDS, draft)}
        fields={OPTION.systems}
      >
        <ExternalIds resource={RESOURCE} fields={OPTION_IDS} value={draft} onChange={set} />
      </FoldedGroup>
    </>
  );
}

/** The size that the option stands for, such as the drink of a menu, and how many pieces of it. */
function StandsFor({ form: { draft, set } }: { form: OptionForm }) {
  const { t } = useTranslation();
  const locked = useLocked();
  const size = useSizes()?.find((one) => one.id === draft.subproduct_id);
  const name = size ? sizeLabel(size) : t('state.loading');
  return (
    <FoldedGroup
      inner
      title={t('editor.stands_for')}
      lead={t('options.subproduct_id_help')}
      said={draft.subproduct_id ? [`${draft.subproduct_pieces ?? 1} × ${name}`] : []}
      fields={OPTION.size}
    >
      <div className="field-line">
        <FieldRow path="subproduct_id" label={labelOf(RESOURCE, 'subproduct_id')}>
          {(control) => (
            <SizeSelect
              control={control}
              clearable
              value={draft.subproduct_id}
              onChange={(subproduct_id) => set({ subproduct_id })}
            />
          )}
        </FieldRow>
        {draft.subproduct_id && (
          <FieldRow path="subproduct_pieces" label={labelOf(RESOURCE, 'subproduct_pieces')}>
            {(control) => (
              <NumberInput<number>
                {...control}
                min={1}
                max={999}
                precision={0}
                disabled={locked}
                value={draft.subproduct_pieces}
                onChange={(subproduct_pieces) => set({ subproduct_pieces })}
                suffix={t('subproducts.pieces')}
              />
            )}
          </FieldRow>
        )}
      </div>
    </FoldedGroup>
  );
}
