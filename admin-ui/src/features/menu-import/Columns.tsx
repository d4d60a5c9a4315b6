import { Select } from 'antd';
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
  'vat',
  'sit_in_vat',
  'allergens',
  'option_groups',
  'ean_code',
  'active',
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

type Fields = Readonly<Record<number, MenuImportField | null>>;

/** The chosen columns and heading row, and their body. */
function useMapping(row: MenuImport) {
  const calls = useImportCalls();
  const { busy, error, work } = useInlineWork();
  const [fields, setFields] = useState<Fields>(() =>
    Object.fromEntries(row.columns.map((column) => [column.column, column.field ?? null])),
  );
  const [header, setHeader] = useState<number>(row.header_row ?? 0);
  const send = (body: { sheet?: string; header_row?: number; mapping?: MenuImportColumn[] }) =>
    void work(() => calls.change(row.id, { ...body, version: row.version }));
  // Columns of options are recognised by their headings only. A choice of columns by the user is for a menu.
  const mapping = Object.entries(fields)
    .filter(([, field]) => field && FIELDS.includes(field))
    .map(([column, field]) => ({ column: Number(column), field }));
  const changed = row.columns.some((column) => (fields[column.column] ?? null) !== (column.field ?? null));
  // A field stands in one column only: choosing it takes it from the other.
  const choose = (at: number, field: MenuImportField | null) =>
    setFields((before) =>
      Object.fromEntries(
        Object.entries(before).map(([column, old]) => [
          column,
          Number(column) === at ? field : old === field ? null : old,
        ]),
      ),
    );
  return {
    busy,
    error,
    fields,
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
            value={mapping.fields[column.column] ?? null}
            disabled={busy}
            onChange={(field) => mapping.choose(column.column, field)}
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
  value: MenuImportField | null;
  disabled: boolean;
  onChange: (field: MenuImportField | null) => void;
}

/** A column with its first cells, and which field it is. */
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
      <Select<MenuImportField | ''>
        aria-label={t('menu_imports.column_is', { letter: column.letter })}
        value={value ?? ''}
        disabled={disabled}
        showSearch={{ optionFilterProp: 'label' }}
        options={[
          { value: '', label: t('menu_imports.left') },
          ...fields.map((field) => ({ value: field, label: t(`menu_imports.field.${field}`) })),
        ]}
        onChange={(next) => onChange(next || null)}
      />
    </li>
  );
}
