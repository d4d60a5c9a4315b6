import { Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { labelOf } from '../../lib/fields/labels';
import { usePageUrl } from '../../lib/navigation';
import { Chip } from '../../lib/ui/page';
import { pathLabel } from '../categories-and-products/facts';
import { groupCalls, keys, useRefreshCatalogue, whoChanged } from '../categories-and-products/shared/api';
import { choice } from '../categories-and-products/shared/choice';
import { mergeFields } from '../../lib/form/body';
import { DraftDrawer } from '../../lib/form/DraftFrame';
import { ExternalIds } from '../categories-and-products/shared/ExternalIds';
import { GROUP_IDS } from '../categories-and-products/shared/externalIds';
import { ActiveField, TextPair } from '../categories-and-products/shared/fields';
import { ShownGroup } from '../categories-and-products/shared/cards';
import { FoldedGroup, Group } from '../categories-and-products/shared/Group';
import { OPTION_GROUP } from '../categories-and-products/shared/groups';
import { useIdsSummary } from '../categories-and-products/shared/summaries';
import { FieldRow } from '../../lib/form/FieldRow';
import { type Level, SHOWN } from '../categories-and-products/shared/inherit';
import {
  GROUP_TYPES,
  type GroupType,
  type OptionGroup,
  type Visible,
} from '../categories-and-products/shared/types';
import { type DraftForm, useDraftForm } from '../../lib/form/useDraftForm';
import { groupFacts } from './facts';
import {
  groupBody,
  type GroupDraft,
  groupDraft,
  groupFaults,
  newGroup,
  numbersAreFree,
  PRESETS,
} from './option';
import { useDeleteGroup } from './useDeleteGroup';
import { Uses } from './Uses';
import { NumberInput } from '../../lib/ui/NumberInput';

const RESOURCE = 'option_groups';
const ABOVE: Level<Visible>[] = [{ origin: 'restaurant', own: SHOWN }];

/** Settings of an option group, over its list. */
export function GroupEditor({ row }: { row: OptionGroup | null }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  const remove = useDeleteGroup();
  const form = useGroupForm(row);
  const { draft, set } = form;
  const idsSaid = useIdsSummary();
  return (
    <DraftDrawer
      form={form}
      whoChanged={whoChanged}
      title={row?.name ?? t('option_groups.new')}
      maySave={can('catalog_edit', 'catalog_activate')}
      mayEdit={can('catalog_edit')}
      factsOf={groupFacts}
      faultLabel={(path) => pathLabel(path, RESOURCE, {})}
      onClose={() => void navigate(url('options', row?.id))}
      onSaved={(saved) => void navigate(url('options', saved.id), { replace: !row })}
      onAnother={() => form.discard()}
      onRemove={
        row && can('catalog_delete')
          ? () =>
              void remove(row, () => {
                form.clean();
                return navigate(url('options'));
              })
          : undefined
      }
    >
      <Group inner title={t('editor.group_name')}>
        <TextPair resource={RESOURCE} field="name" value={{ ...draft }} onChange={set} required max={100} />
        <TypeField form={form} />
        <NumberFields form={form} />
        <ActiveField
          value={draft.active}
          onChange={(active) => set({ active })}
          help={t('option_groups.active_help')}
          allowed={row ? can('catalog_activate') : can('catalog_edit')}
        />
      </Group>
      {row && (
        <Group inner title={t('option_groups.used')}>
          <Uses group={row} />
        </Group>
      )}
      <ShownGroup value={draft} onChange={set} above={ABOVE} />
      <FoldedGroup
        inner
        title={t('editor.other_systems')}
        said={idsSaid(RESOURCE, GROUP_IDS, draft)}
        fields={OPTION_GROUP.systems}
      >
        <ExternalIds resource={RESOURCE} fields={GROUP_IDS} value={draft} onChange={set} />
      </FoldedGroup>
    </DraftDrawer>
  );
}

type GroupForm = DraftForm<OptionGroup, GroupDraft>;

function useGroupForm(row: OptionGroup | null): GroupForm {
  const refresh = useRefreshCatalogue();
  return useDraftForm<OptionGroup, GroupDraft>({
    row,
    fresh: newGroup,
    draftOf: groupDraft,
    bodyOf: groupBody,
    merge: mergeFields,
    validate: groupFaults,
    send: async ({ id, body, key }) => {
      const saved = id === undefined ? await groupCalls.create(body, key) : await groupCalls.update(id, body);
      void refresh({ into: keys.groups(), row: saved });
      return saved;
    },
  });
}

/** What kind of choice it is; each kind begins with its numbers. */
function TypeField({ form: { draft, set } }: { form: GroupForm }) {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  return (
    <FieldRow path="type" label={labelOf(RESOURCE, 'type')} group>
      {({ id }) => (
        <Radio.Group
          id={id}
          className="types"
          disabled={!mayEdit}
          value={draft.type}
          onChange={(event) => {
            const type = event.target.value as GroupType;
            set({ type, ...PRESETS[type] });
          }}
        >
          {GROUP_TYPES.map((type) => (
            <Radio key={type} value={type}>
              <b>{t(`option_groups.type.${type}`)}</b>
              <span className="edit-help">{t(`option_groups.type_help.${type}`)}</span>
            </Radio>
          ))}
        </Radio.Group>
      )}
    </FieldRow>
  );
}

/** How many options a guest chooses, in numbers and in words. */
function NumberFields({ form: { draft, set } }: { form: GroupForm }) {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const { key, min, max } = choice({
    min_no_options: draft.min_no_options ?? 0,
    max_no_options: draft.max_no_options ?? 0,
  });
  const number = (field: 'min_no_options' | 'max_no_options', help?: string) => (
    <FieldRow path={field} label={labelOf(RESOURCE, field)} help={help}>
      {(control) => (
        <NumberInput<number>
          {...control}
          min={0}
          max={100}
          precision={0}
          disabled={!mayEdit || !numbersAreFree(draft.type)}
          value={draft[field]}
          onChange={(value) => set({ [field]: value })}
        />
      )}
    </FieldRow>
  );
  return (
    <>
      <div className="field-line">
        {number('min_no_options')}
        {number('max_no_options', t('option_groups.max_help'))}
      </div>
      <p className="edit-lead" role="status">
        {t('option_groups.means')} <Chip tone={min > 0 ? 'info' : 'neutral'}>{t(key, { min, max })}</Chip>
      </p>
    </>
  );
}
