import { CloseOutlined, PlusOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useById, useGroups } from './shared/api';
import { choice } from './shared/choice';
import { FieldRow } from '../../lib/form/FieldRow';
import { SortRows } from '../../lib/crud/SortRows';
import { useLocked } from '../../lib/form/fieldState';

interface Props {
  path: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
}

/** Name of an option group by its id, and how many options of it a guest chooses. */
function useGroupTexts() {
  const { t } = useTranslation();
  const byId = useById(useGroups().data);
  return {
    nameOf: (id: string) => byId.get(id)?.name ?? id,
    ruleOf: (id: string) => {
      const group = byId.get(id);
      if (!group) return '';
      const { key, min, max } = choice(group);
      return t(key, { min, max });
    },
  };
}

/** The option groups of a size, in the order that guests see. */
export function OptionGroupPicker({ path, value, onChange }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  return (
    <FieldRow
      path={path}
      label={t('subproducts.option_group_ids')}
      group
      help={t('subproducts.option_group_ids_help')}
    >
      {({ id }) => (
        <div className="groups" id={id} tabIndex={-1}>
          {value.length > 0 && <ChosenGroups value={value} onChange={onChange} />}
          {!locked && <AddGroup value={value} onAdd={(next) => onChange([...value, next])} />}
        </div>
      )}
    </FieldRow>
  );
}

function ChosenGroups({ value, onChange }: Omit<Props, 'path'>) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const locked = useLocked();
  const { nameOf, ruleOf } = useGroupTexts();
  return (
    <SortRows
      items={value}
      keyOf={(group) => group}
      nameOf={nameOf}
      onSort={onChange}
      locked={locked}
      label={t('subproducts.option_group_ids')}
      className="groups-list"
      after={(group) =>
        !locked && (
          <Button
            type="text"
            icon={<CloseOutlined />}
            aria-label={t('subproducts.drop_group', { name: nameOf(group) })}
            onClick={() => onChange(value.filter((other) => other !== group))}
          />
        )
      }
    >
      {(group) => (
        <span className="group-line">
          <Link to={url('options', group)}>{nameOf(group)}</Link>
          <span className="cat-under">{ruleOf(group)}</span>
        </span>
      )}
    </SortRows>
  );
}

/** The groups that are not chosen yet. */
function AddGroup({ value, onAdd }: { value: readonly string[]; onAdd: (id: string) => void }) {
  const { t } = useTranslation();
  const groups = useGroups();
  const { ruleOf } = useGroupTexts();
  const free = (groups.data ?? []).filter((group) => !value.includes(group.id));
  return (
    <Select<string | null>
      className="groups-add"
      aria-label={t('subproducts.add_group')}
      placeholder={
        <>
          <PlusOutlined aria-hidden /> {t('subproducts.add_group')}
        </>
      }
      showSearch={{ optionFilterProp: 'label' }}
      loading={groups.isLoading}
      value={null}
      notFoundContent={groups.data?.length === 0 ? t('option_groups.none') : undefined}
      onChange={(next) => next && onAdd(next)}
      options={free.map((group) => ({
        value: group.id,
        label: group.name,
        desc: ruleOf(group.id),
        off: !group.active,
      }))}
      optionRender={({ data }) => (
        <span className="group-option">
          <span>{data.label}</span>
          <span className="cat-under">{data.off ? t('state.inactive') : data.desc}</span>
        </span>
      )}
    />
  );
}
