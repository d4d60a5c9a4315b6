import { Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberInput } from '../../lib/ui/NumberInput';
import type { MenuImport, MenuImportColumn, MenuImportField } from '../../generated/model';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useImportCalls } from './api';

const FIELDS: readonly MenuImportField[] = [
  'parent_category',
  'category',
  'category_sec_lang',
  'name',
  'name_sec_lang',
  'description',
  'description_sec_lang',
  'subproduct',
  'price',
  'size_price',
  'vat',
  'sit_in_vat',
  'allergens',
  'option_groups',
  'ean_code',
  'active',
  'ntak_category',
  'ntak_quantity_unit',
  'ntak_quantity',
  'deposit_pieces',
  'components',
];

/** Which column is what, with what stands in it; closed while everything was recognised. */
export function Columns({ row, open: opened }: { row: MenuImport; open: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(opened);
  return (
    <Card
      title={t('menu_imports.columns')}
      extra={
        <Button onClick={() => setOpen(!open)} aria-expanded={open}>
          {t(open ? 'menu_imports.columns_close' : 'menu_imports.columns_open')}
        </Button>
      }
    >
      {!open && (
        <p className="mi-known">
          {row.columns
            .filter((column) => column.field)
            .map((column) => (
              <span key={column.column}>
                <strong>{column.heading || column.letter}</strong> →{' '}
                {t(`menu_imports.field.${column.field!}`)}
                {column.size && column.size !== column.heading ? ` (${column.size})` : ''}
              </span>
            ))}
        </p>
      )}
      {row.options_sheet && (
        <p className="mi-known">{t('menu_imports.options_sheet', { sheet: row.options_sheet })}</p>
      )}
      {row.only_options && <p className="mi-known">{t('menu_imports.only_options')}</p>}
      <Choices row={row} hidden={!open} />
    </Card>
  );
}

/** What a column holds; `size` names the size of `size_price`. */
interface ColumnMeaning {
  field: MenuImportField | null;
  size: string;
}

const same = (one: ColumnMeaning, other: ColumnMeaning) =>
  one.field === other.field && (one.field !== 'size_price' || one.size === other.size);

/** The chosen columns and heading row, and their body. */
function useMapping(row: MenuImport) {
  const calls = useImportCalls();
  const { busy, error, work } = useInlineWork();
  const recognised = (column: MenuImport['columns'][number]): ColumnMeaning => ({
    field: column.field ?? null,
    // What the heading says is the size, until somebody writes another name.
    size: column.size ?? column.heading,
  });
  const [meanings, setMeanings] = useState<Readonly<Record<number, ColumnMeaning>>>(() =>
    Object.fromEntries(row.columns.map((column) => [column.column, recognised(column)])),
  );
  const [header, setHeader] = useState<number>(row.header_row ?? 0);
  const send = (body: { sheet?: string; header_row?: number; mapping?: MenuImportColumn[] }) =>
    void work(() => calls.change(row.id, { ...body, version: row.version }));
  // Columns of options are recognised by their headings only. A choice of columns by the user is for a menu.
  const mapping = Object.entries(meanings)
    .filter(([, { field }]) => field && FIELDS.includes(field))
    .map(([column, { field, size }]) => ({
      column: Number(column),
      field,
      ...(field === 'size_price' && { size }),
    }));
  const changed = row.columns.some((column) => !same(meanings[column.column]!, recognised(column)));
  // A field stands in one column only, prices of sizes excepted: choosing it takes it from the other.
  const choose = (at: number, next: ColumnMeaning) =>
    setMeanings((before) =>
      Object.fromEntries(
        Object.entries(before).map(([column, old]) => {
          if (Number(column) === at) return [column, next];
          const taken = next.field !== 'size_price' && old.field === next.field;
          return [column, taken ? { ...old, field: null } : old];
        }),
      ),
    );
  return {
    busy,
    error,
    meanings,
    choose,
    header,
    setHeader,
    dirty: header !== row.header_row || changed,
    changeSheet: (sheet: string) => send({ sheet }),
    save: () => send({ header_row: header, ...(row.only_options && !changed ? {} : { mapping }) }),
  };
}

/** Sheet, row of the headings, and a field for each column. A hidden choice stays. */
function Choices({ row, hidden }: { row: MenuImport; hidden: boolean }) {
  const { t } = useTranslation();
  const mapping = useMapping(row);
  const { busy, error } = mapping;
  if (hidden) return null;
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} />}
      <div className="mi-choices">
        {row.sheets.length > 1 && (
          <label>
            <span>{t('menu_imports.sheet')}</span>
            <Select
              aria-label={t('menu_imports.sheet')}
              value={row.sheet}
              options={row.sheets.map((value) => ({ value, label: value }))}
              onChange={mapping.changeSheet}
              disabled={busy}
            />
          </label>
        )}
        <label>
          <span>{t('menu_imports.header_row')}</span>
          <NumberInput
            aria-label={t('menu_imports.header_row')}
            min={0}
            max={50_000}
            precision={0}
            value={mapping.header}
            onChange={(value) => mapping.setHeader(value ?? 0)}
            disabled={busy}
          />
        </label>
      </div>
      <ul className="mi-columns">
        {row.columns.map((column) => (
          <ColumnChoice
            key={column.column}
            column={column}
            value={mapping.meanings[column.column]!}
            disabled={busy}
            onChange={(meaning) => mapping.choose(column.column, meaning)}
          />
        ))}
      </ul>
      <Button type="primary" loading={busy} disabled={!mapping.dirty} onClick={mapping.save}>
        {t('menu_imports.read_again')}
      </Button>
    </>
  );
}

interface ChoiceProps {
  column: MenuImport['columns'][number];
  value: ColumnMeaning;
  disabled: boolean;
  onChange: (meaning: ColumnMeaning) => void;
}

/** A column with its first cells, and which field or size it is. */
function ColumnChoice({ column, value, disabled, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  const own = column.field;
  const fields = own && !FIELDS.includes(own) ? [own, ...FIELDS] : FIELDS;
  return (
    <li>
      <span className="mi-letter">{column.letter}</span>
      <span className="mi-heading">
        <strong>{column.heading || t('menu_imports.no_heading')}</strong>
        <span className="mi-hint">{column.samples.join(' · ')}</span>
      </span>
      <span className="mi-meaning">
        <Select<MenuImportField | ''>
          aria-label={t('menu_imports.column_is', { letter: column.letter })}
          value={value.field ?? ''}
          disabled={disabled}
          showSearch={{ optionFilterProp: 'label' }}
          options={[
            { value: '', label: t('menu_imports.left') },
            ...fields.map((field) => ({ value: field, label: t(`menu_imports.field.${field}`) })),
          ]}
          onChange={(next) => onChange({ ...value, field: next || null })}
        />
        {value.field === 'size_price' && (
          <Input
            aria-label={t('menu_imports.column_size', { letter: column.letter })}
            placeholder={t('menu_imports.column_size_placeholder')}
            maxLength={100}
            value={value.size}
            disabled={disabled}
            onChange={(event) => onChange({ ...value, size: event.target.value })}
          />
        )}
      </span>
    </li>
  );
}
