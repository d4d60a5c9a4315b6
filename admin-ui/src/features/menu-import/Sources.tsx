import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { MenuImport, MenuImportOptionGroup } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { Card, Chip } from '../../lib/ui/page';

/** The fields that make a price or a size. */
const PRICES = ['price', 'size_price', 'subproduct'];

/** What becomes a price or a size, with the number of rows: a heading may promise what its column does not hold. */
export function Prices({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const columns = row.columns.filter((column) => column.field && PRICES.includes(column.field));
  const others = row.columns.filter((column) => column.could_be_price);
  if (row.only_options || columns.length === 0) return null;
  return (
    <Card title={t('menu_imports.prices')}>
      <ul className="mi-unused">
        {columns.map((column) => (
          <li key={column.column}>
            <strong>{column.heading || column.letter}</strong> → {t(`menu_imports.field.${column.field!}`)}
            {column.size ? ` (${column.size})` : ''}:{' '}
            {t('menu_imports.in_rows', { count: column.rows, n: number(column.rows) })}
            <span className="mi-hint"> {column.samples.join(' · ')}</span>
          </li>
        ))}
      </ul>
      {row.sizes.length > 0 && (
        <p className="mi-next">
          {t('menu_imports.sizes')}{' '}
          {row.sizes.map((size) => `${size.name} (${number(size.lines)})`).join(', ')}
        </p>
      )}
      {others.length > 0 && (
        <Alert
          className="mi-next"
          type="warning"
          showIcon
          title={t('menu_imports.other_prices', {
            count: others.length,
            names: others.map((column) => column.heading || column.letter).join(', '),
          })}
        />
      )}
    </Card>
  );
}

/** Each option group of the file with its rule. */
export function OptionGroups({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  if (row.option_groups.length === 0) return null;
  const rule = (group: MenuImportOptionGroup) => {
    if (group.type !== 'min_max') return t(`menu_imports.option_type.${group.type}`);
    const [min, max] = [group.min_no_options, group.max_no_options];
    if (max === 0) return t('menu_imports.rule_least', { min: number(min) });
    return min === max
      ? t('menu_imports.rule_exact', { min: number(min) })
      : t('menu_imports.rule_between', { min: number(min), max: number(max) });
  };
  return (
    <Card title={t('menu_imports.groups')}>
      <ul className="mi-unused">
        {row.option_groups.map((group) => (
          <li key={group.name}>
            <strong>{group.name}</strong>: {rule(group)},{' '}
            {t('menu_imports.group_options', { count: group.options, n: number(group.options) })}{' '}
            {group.is_new && <Chip tone="success">{t('menu_imports.kind.new')}</Chip>}{' '}
            {!group.stated && (
              <Chip tone="warning">
                {t(group.is_new ? 'menu_imports.rule_unsaid' : 'menu_imports.rule_kept')}
              </Chip>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
