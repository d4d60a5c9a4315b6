import { useTranslation } from 'react-i18next';
import type { FieldInfo } from '../fields/kinds';
import { optionLabel } from '../fields/labels';
import { RefNames } from '../fields/RefSelect';
import { NONE, useFormat } from '../format';
import { Chip } from '../ui/page';

/** A value as lists and dialogs show it: never a raw enum, null or ungrouped number. */
export function Value({
  resource,
  name,
  info,
  value,
}: {
  resource: string;
  name: string;
  info: FieldInfo;
  value: unknown;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  if (info.kind === 'tri')
    return <>{value === null || value === undefined ? t('tri.inherit') : t(value ? 'tri.yes' : 'tri.no')}</>;
  if (value === null || value === undefined || value === '')
    return <span aria-label={t('state.none')}>{NONE}</span>;
  switch (info.kind) {
    case 'switch':
      return name === 'active' ? (
        <Chip tone={value ? 'success' : 'neutral'}>{t(value ? 'state.active' : 'state.inactive')}</Chip>
      ) : (
        <>{t(value ? 'tri.yes' : 'tri.no')}</>
      );
    case 'decimal':
    case 'integer':
      return <span className="num">{format.number(value as number)}</span>;
    case 'date':
      return <span className="num">{format.day(value as string)}</span>;
    case 'datetime':
      return <span className="num">{format.dateTime(value as string)}</span>;
    case 'select':
      return <>{optionLabel(resource, name, String(value))}</>;
    case 'multiselect':
      return (
        <span className="chips">
          {(value as string[]).map((v) => (
            <Chip key={v}>{info.options ? optionLabel(resource, name, v) : v}</Chip>
          ))}
        </span>
      );
    case 'ref':
      return <RefNames resource={info.resource!} ids={[String(value)]} />;
    case 'refs':
      return <RefNames resource={info.resource!} ids={value as string[]} />;
    case 'rows':
    case 'ranges':
      return <span className="num">{format.number((value as unknown[]).length)}</span>;
    case 'colour':
      return <span className="swatch" style={{ background: String(value) }} title={String(value)} />;
    default:
      return <>{String(value)}</>;
  }
}
