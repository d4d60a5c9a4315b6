import { InputNumber, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuImport, MenuImportColumn, MenuImportField } from '../../generated/model';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
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
  const calls = useImportCalls();
  const [open, setOpen] = useState(opened);
  const [fields, setFields] = useState<Record<number, MenuImportField | null>>(() =>
    Object.fromEntries(row.columns.map((column) => [column.column, column.field ?? null])),
  );
  const [header, setHeader] = useState<number>(row.header_row ?? 0);
  const [working, setWorking] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async (body: { sheet?: string; header_row?: number; mapping?: MenuImportColumn[] }) => {
    setWorking(true);
    setError(undefined);
    try {
      await calls.change(row.id, { ...body, version: row.version });
    } catch (problem) {
      setError(problem);
    }
    setWorking(false);
  };
  // Columns of options are told by their headings alone: whoever says what a column is means a menu.
  const mapping = Object.entries(fields)
    .filter(([, field]) => field && FIELDS.includes(field))
    .map(([column, field]) => ({ column: Number(column), field }));
  const changed = row.columns.some((column) => (fields[column.column] ?? null) !== (column.field ?? null));
  const dirty = header !== row.header_row || changed;
  const choices = (own: MenuImportField | null | undefined) =>
    own && !FIELDS.includes(own) ? [own, ...FIELDS] : FIELDS;
  const known = row.columns.filter((column) => column.field);
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
          {known.map((column) => (
            <span key={column.column}>
              <strong>{column.heading || column.letter}</strong> → {t(`menu_imports.field.${column.field!}`)}
            </span>
          ))}
        </p>
      )}
      {row.options_sheet && (
        <p className="mi-known">{t('menu_imports.options_sheet', { sheet: row.options_sheet })}</p>
      )}
      {row.only_options && <p className="mi-known">{t('menu_imports.only_options')}</p>}
      {open && (
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
                  onChange={(sheet) => void send({ sheet })}
                  disabled={working}
                />
              </label>
            )}
            <label>
              <span>{t('menu_imports.header_row')}</span>
              <InputNumber
                aria-label={t('menu_imports.header_row')}
                min={0}
                max={50_000}
                precision={0}
                value={header}
                onChange={(value) => setHeader(value ?? 0)}
                disabled={working}
              />
            </label>
          </div>
          <ul className="mi-columns">
            {row.columns.map((column) => (
              <li key={column.column}>
                <span className="mi-letter">{column.letter}</span>
                <span className="mi-heading">
                  <strong>{column.heading || t('menu_imports.no_heading')}</strong>
                  <span className="mi-hint">{column.samples.join(' · ')}</span>
                </span>
                <Select
                  aria-label={t('menu_imports.column_is', { letter: column.letter })}
                  value={fields[column.column] ?? ''}
                  disabled={working}
                  showSearch={{ optionFilterProp: 'label' }}
                  options={[
                    { value: '', label: t('menu_imports.left') },
                    ...choices(column.field).map((value) => ({
                      value,
                      label: t(`menu_imports.field.${value}`),
                    })),
                  ]}
                  onChange={(value) => choose(column.column, (value || null) as MenuImportField | null)}
                />
              </li>
            ))}
          </ul>
          <Button
            type="primary"
            loading={working}
            disabled={!dirty}
            onClick={() =>
              void send({ header_row: header, ...(row.only_options && !changed ? {} : { mapping }) })
            }
          >
            {t('menu_imports.read_again')}
          </Button>
        </>
      )}
    </Card>
  );
}
