import { Checkbox } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PlainRows } from '../../lib/crud';
import { NONE, useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Chip } from '../../lib/ui/page';
import { useNtakWords } from '../categories-and-products/shared/ntak';
import { nameOf } from './rows';

/** Category, unit and quantity in words. */
export function useValueText() {
  const words = useNtakWords();
  const { number } = useFormat();
  return (category?: string | null, unit?: string | null, quantity?: string | number | null): string => {
    const amount = quantity === null || quantity === undefined ? '' : number(quantity);
    const measure = [amount, words.unit(unit)].filter(Boolean).join(' ');
    const name = category && !words.loaded ? '…' : words.nameOf(category);
    return [name, measure].filter(Boolean).join(' · ') || NONE;
  };
}

export interface ShownRow {
  key: string;
  level: 'category' | 'product' | 'subproduct';
  category: string;
  product?: string | null | undefined;
  subproduct?: string | null | undefined;
  path: string;
}

interface Props<R extends ShownRow> {
  rows: readonly R[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: Set<string>) => void;
  columns: { key: string; title: string; render: (row: R) => ReactNode }[];
}

/** Rows of the menu with boxes to choose them. */
export function RowTable<R extends ShownRow>({ rows, chosen, onChoose, columns }: Props<R>) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const toggle = (key: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(key);
    else next.delete(key);
    onChoose(next);
  };
  return (
    <PlainRows
      rows={rows}
      rowKey={(row) => row.key}
      columns={[
        {
          key: 'name',
          title: t('ntak_menu.row'),
          render: (row) => (
            <Checkbox
              checked={chosen.has(row.key)}
              aria-label={t('ntak_menu.choose', { name: nameOf(row) })}
              onChange={({ target }) => toggle(row.key, target.checked)}
            >
              <span className="ntak-name">
                <Link to={url('categories_and_products', row.path)}>{nameOf(row)}</Link>
                {row.level !== 'category' && <span className="ntak-soft">{row.category}</span>}
              </span>
            </Checkbox>
          ),
        },
        {
          key: 'level',
          title: t('ntak_menu.level'),
          render: (row) => <Chip>{t(`ntak_menu.level.${row.level}`)}</Chip>,
        },
        ...columns,
      ]}
    />
  );
}

/** Chooses all or none, and says how many are chosen. */
export function ChooseAll({
  keys,
  chosen,
  onChoose,
}: {
  keys: readonly string[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: Set<string>) => void;
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const some = keys.some((key) => chosen.has(key));
  const all = keys.length > 0 && keys.every((key) => chosen.has(key));
  return (
    <Checkbox
      checked={all}
      indeterminate={some && !all}
      onChange={({ target }) => onChoose(new Set(target.checked ? keys : []))}
    >
      {t('ntak_menu.chosen', { number: number(chosen.size), total: number(keys.length) })}
    </Checkbox>
  );
}
