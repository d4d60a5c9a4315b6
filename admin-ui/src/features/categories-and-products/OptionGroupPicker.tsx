import { CloseOutlined, PlusOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useById, useGroups } from './shared/api';
import { choice } from './shared/choice';
import { FieldRow } from '../../lib/form/FieldRow';
import { SortRows } from './shared/SortRows';
import { useLocked } from '../../lib/form/fieldState';

/** What guests are asked with a size, in the order in which they are asked. */
export function OptionGroupPicker({
  path,
  value,
  onChange,
}: {
  path: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
}) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const locked = useLocked();
  const groups = useGroups();
  const byId = useById(groups.data);
  const nameOf = (id: string) => byId.get(id)?.name ?? id;
  const rule = (id: string) => {
    const group = byId.get(id);
    if (!group) return '';
    const { key, min, max } = choice(group);
    return t(key, { min, max });
  };
  const free = (groups.data ?? []).filter((group) => !value.includes(group.id));
  return (
    <FieldRow
      path={path}
      label={t('subproducts.option_group_ids')}
      group
      help={t('subproducts.option_group_ids_help')}
    >
      {({ id }) => (
        <div className="groups" id={id} tabIndex={-1}>
          {value.length > 0 && (
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
                  <span className="cat-under">{rule(group)}</span>
                </span>
              )}
            </SortRows>
          )}
          {!locked && (
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
              onChange={(next) => next && onChange([...value, next])}
              options={free.map((group) => ({
                value: group.id,
                label: group.name,
                desc: rule(group.id),
                off: !group.active,
              }))}
              optionRender={({ data }) => (
                <span className="group-option">
                  <span>{data.label}</span>
                  <span className="cat-under">{data.off ? t('state.inactive') : data.desc}</span>
                </span>
              )}
            />
          )}
        </div>
      )}
    </FieldRow>
  );
}
