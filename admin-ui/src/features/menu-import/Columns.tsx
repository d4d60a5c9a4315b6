import { Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberInput } from '../../lib/ui/NumberInput';
import type { MenuImport, MenuImportChange, MenuImportColumn, MenuImportField } from '../../generated/model';
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

const OPTION_FIELDS: readonly MenuImportField[] = [
  'option_group',
  'option_group_sec_lang',
  'option_type',
  'option_required',
  'min_no_options',
  'max_no_options',
  'option',
  'option_sec_lang',
  'price',
  'allergens',
  'active',
  'stands_for',
];

type Column = MenuImport['columns'][number];

/** The columns of one sheet: what they can hold, and how a choice of them is sent. */
interface Part {
  columns: readonly Column[];
  fields: readonly MenuImportField[];
  header: number;
  /** What tells its fields from those of the other sheet, for readers of the screen. */
  suffix: string;
  body: (header_row: number, mapping: MenuImportColumn[]) => MenuImportChange;
}

const menuPart = (row: MenuImport): Part => ({
  columns: row.columns,
  fields: FIELDS,
  header: row.header_row ?? 0,
  suffix: '',
  body: (header_row, mapping) => ({ header_row, mapping }),
});

const optionsPart = (row: MenuImport): Part => ({
  columns: row.options_columns,
  fields: OPTION_FIELDS,
  header: row.options_header_row ?? 0,
  suffix: row.options_sheet ? ` (${row.options_sheet})` : '',
  body: (options_header_row, options_mapping) => ({ options_header_row, options_mapping }),
});

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
      {row.sheets.length > 1 && open && <Sheets row={row} />}
      {row.only_options && open && <ReadAs row={row} body={{ mapping: [] }} text="menu_imports.as_menu" />}
      {!row.only_options && open && row.missing_fields.length > 0 && row.sheets.length < 2 && (
        <ReadAs row={row} body={{ options_mapping: [] }} text="menu_imports.as_options" />
      )}
      {!row.only_options && <Choices row={row} part={menuPart(row)} hidden={!open} />}
      {row.options_columns.length > 0 && (
        <>
          {open && !row.only_options && <h3>{t('menu_imports.columns_options')}</h3>}
          <Choices row={row} part={optionsPart(row)} hidden={!open} />
        </>
      )}
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

/** The chosen columns and heading row of a sheet, and what sends them. */
function useMapping(row: MenuImport, part: Part) {
  const calls = useImportCalls();
  const { busy, error, work } = useInlineWork();
  const recognised = (column: Column): ColumnMeaning => ({
    field: column.field ?? null,
    // What the heading says is the size, until somebody writes another name.
    size: column.size ?? column.heading,
  });
  const [meanings, setMeanings] = useState<Readonly<Record<number, ColumnMeaning>>>(() =>
    Object.fromEntries(part.columns.map((column) => [column.column, recognised(column)])),
  );
  const [header, setHeader] = useState<number>(part.header);
  const mapping = Object.entries(meanings)
    .filter(([, { field }]) => field && part.fields.includes(field))
    .map(([column, { field, size }]) => ({
      column: Number(column),
      field,
      ...(field === 'size_price' && { size }),
    }));
  const changed = part.columns.some((column) => !same(meanings[column.column]!, recognised(column)));
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
    dirty: header !== part.header || changed,
    save: () =>
      void work(() => calls.change(row.id, { ...part.body(header, mapping), version: row.version })),
  };
}

/** Which sheet is the menu, and which one has its options. */
function Sheets({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const calls = useImportCalls();
  const { busy, error, work } = useInlineWork();
  const send = (body: MenuImportChange) =>
    void work(() => calls.change(row.id, { ...body, version: row.version }));
  const sheets = row.sheets.map((value) => ({ value, label: value }));
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} />}
      <div className="mi-choices">
        <label>
          <span>{t('menu_imports.sheet')}</span>
          <Select
            aria-label={t('menu_imports.sheet')}
            value={row.sheet}
            options={sheets}
            onChange={(sheet) => send({ sheet })}
            disabled={busy}
          />
        </label>
        {!row.only_options && (
          <label>
            <span>{t('menu_imports.choose_options_sheet')}</span>
            <Select
              aria-label={t('menu_imports.choose_options_sheet')}
              value={row.options_sheet ?? ''}
              options={[
                { value: '', label: t('menu_imports.no_options_sheet') },
                ...sheets.filter(({ value }) => value !== row.sheet),
              ]}
              onChange={(options_sheet) => send({ options_sheet })}
              disabled={busy}
            />
          </label>
        )}
      </div>
    </>
  );
}

interface ReadAsProps {
  row: MenuImport;
  body: MenuImportChange;
  text: 'menu_imports.as_menu' | 'menu_imports.as_options';
}

/** What was taken for options is a menu, or the other way round: its columns are chosen by hand then. */
function ReadAs({ row, body, text }: ReadAsProps) {
  const { t } = useTranslation();
  const calls = useImportCalls();
  const { busy, error, work } = useInlineWork();
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} />}
      <p>
        <Button
          loading={busy}
          onClick={() => void work(() => calls.change(row.id, { ...body, version: row.version }))}
        >
          {t(text)}
        </Button>
      </p>
    </>
  );
}

/** The row of the headings, and a field for each column of a sheet. A hidden choice stays. */
function Choices({ row, part, hidden }: { row: MenuImport; part: Part; hidden: boolean }) {
  const { t } = useTranslation();
  const mapping = useMapping(row, part);
  const { busy, error } = mapping;
  if (hidden) return null;
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} />}
      <div className="mi-choices">
        <label>
          <span>{t('menu_imports.header_row')}</span>
          <NumberInput
            aria-label={t('menu_imports.header_row') + part.suffix}
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
        {part.columns.map((column) => (
          <ColumnChoice
            key={column.column}
            column={column}
            part={part}
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
  column: Column;
  part: Part;
  value: ColumnMeaning;
  disabled: boolean;
  onChange: (meaning: ColumnMeaning) => void;
}

/** A column with its first cells, and which field or size it is. */
function ColumnChoice({ column, part, value, disabled, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  return (
    <li>
      <span className="mi-letter">{column.letter}</span>
      <span className="mi-heading">
        <strong>{column.heading || t('menu_imports.no_heading')}</strong>
        <span className="mi-hint">{column.samples.join(' · ')}</span>
      </span>
      <span className="mi-meaning">
        <Select<MenuImportField | ''>
          aria-label={t('menu_imports.column_is', { letter: column.letter }) + part.suffix}
          value={value.field ?? ''}
          disabled={disabled}
          showSearch={{ optionFilterProp: 'label' }}
          options={[
            { value: '', label: t('menu_imports.left') },
            ...part.fields.map((field) => ({ value: field, label: t(`menu_imports.field.${field}`) })),
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
