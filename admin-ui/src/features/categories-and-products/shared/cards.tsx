import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { noEffectYet } from '../../../generated/no-effect.gen';
import { NoEffect } from '../../../lib/fields/NoEffect';
import { useEditUrl } from '../links';
import { FoldedGroup } from './Group';
import { inherited, inheritedSitIn, type Level } from './inherit';
import { TriState, VatSelect, VisibilityFields } from './inheritFields';
import { NtakFields } from './ntakFields';
import { type Timed, useShownSummary, useTaxSummary, useTimesSummary } from './summaries';
import { AvailabilityField, PublicationField } from './schedule';
import { type Channel, CHANNELS, type Inheritable, type ProductCategory, type Visible } from './types';

type Taxed = Omit<Inheritable, Channel>;

interface TaxProps {
  /** Unless that of a category and product. */
  title?: string;
  value: Taxed;
  onChange: (change: Partial<Taxed>) => void;
  above: readonly Level[];
  fields: readonly string[];
  prefix?: string;
  inner?: boolean;
  lead?: string;
  /** Said besides. */
  said?: readonly string[];
  /** Further fields. */
  children?: ReactNode;
}

/** VAT, tax report and service fee, inherited unless given. */
export function TaxGroup({
  title,
  value,
  onChange,
  above,
  fields,
  prefix = '',
  inner = false,
  lead,
  said = [],
  children,
}: TaxProps) {
  const { t } = useTranslation();
  const taxSaid = useTaxSummary();
  return (
    <FoldedGroup
      title={title ?? t('editor.tax')}
      lead={lead}
      said={[...taxSaid(value, above), ...said]}
      fields={fields}
      prefix={prefix}
      inner={inner}
    >
      <div className="field-line">
        <VatSelect
          path={`${prefix}vat_id`}
          label={t('field.vat_id')}
          value={value.vat_id}
          from={inherited(above, 'vat_id')}
          onChange={(vat_id) => onChange({ vat_id })}
        />
        <VatSelect
          path={`${prefix}sit_in_vat_id`}
          label={t('field.sit_in_vat_id')}
          value={value.sit_in_vat_id}
          from={inheritedSitIn(above, value.vat_id)}
          onChange={(sit_in_vat_id) => onChange({ sit_in_vat_id })}
        />
      </div>
      <TriState
        path={`${prefix}has_tip`}
        words="fee"
        label={t('field.has_tip')}
        value={value.has_tip}
        from={inherited(above, 'has_tip')}
        onChange={(has_tip) => onChange({ has_tip })}
      />
      <div className="field-line">
        <NtakFields value={value} above={above} onChange={onChange} prefix={prefix} />
        {children}
      </div>
      <p className="edit-help">
        <NoEffect what={t('field.ntak_category_id')} of={noEffectYet['Product.ntak_category_id']} />
      </p>
    </FoldedGroup>
  );
}

interface ShownProps {
  /** Unless "where it is shown". */
  title?: string;
  value: Visible;
  onChange: (change: Partial<Visible>) => void;
  above: readonly Level<Visible>[];
  prefix?: string;
}

/** On which channels a row is shown, for what has no times of its own. */
export function ShownGroup({ title, value, onChange, above, prefix = '' }: ShownProps) {
  const { t } = useTranslation();
  const shownSaid = useShownSummary();
  return (
    <FoldedGroup
      inner
      title={title ?? t('editor.shown')}
      lead={t('catalogue.visibility_lead')}
      said={shownSaid(value, above)}
      fields={CHANNELS}
      prefix={prefix}
    >
      <VisibilityFields value={value} onChange={onChange} above={above} prefix={prefix} />
    </FoldedGroup>
  );
}

interface WhereProps<D> {
  form: { draft: D; set: (change: Partial<D>) => void };
  above: readonly Level[];
  /** The categories above, nearest first. */
  chain: readonly ProductCategory[];
  fields: readonly string[];
  /** Times of the week. */
  children?: ReactNode;
}

/** On which channels a row is shown, from when to when it is sold, and when it is published. */
export function WhereGroup<D extends Visible & Timed>({
  form: { draft, set },
  above,
  chain,
  fields,
  children,
}: WhereProps<D>) {
  const { t } = useTranslation();
  const shownSaid = useShownSummary();
  const timesSaid = useTimesSummary();
  const change = (part: Partial<Visible & Timed>) => set(part as Partial<D>);
  const times = timesSaid(draft);
  const limiting = chain.filter((row) => timesSaid(row).length > 0);
  const limited = limiting.map(({ name }) => t('editor.limited_by', { name }));
  return (
    <FoldedGroup
      title={t('editor.where')}
      lead={t('catalogue.visibility_lead')}
      said={[
        ...shownSaid(draft, above),
        ...(times.length + limited.length > 0 ? [...times, ...limited] : [t('editor.any_time')]),
      ]}
      fields={fields}
    >
      <VisibilityFields value={draft} onChange={change} above={above} />
      <TimesAbove rows={limiting} />
      {children}
      <AvailabilityField value={draft} onChange={change} />
      <PublicationField value={draft.expected_at} onChange={(expected_at) => change({ expected_at })} />
    </FoldedGroup>
  );
}

/** The times of the categories above: they hold too, whatever the row says. */
function TimesAbove({ rows }: { rows: readonly ProductCategory[] }) {
  const { t } = useTranslation();
  const timesSaid = useTimesSummary();
  const edit = useEditUrl();
  if (rows.length === 0) return null;
  return (
    <ul className="above">
      {rows.map((row) => (
        <li key={row.id}>
          {t('editor.also_holds')} <Link to={edit(row.id)}>{row.name}</Link>: {timesSaid(row).join(' · ')}
        </li>
      ))}
    </ul>
  );
}

/** What stands above and is switched off: nothing in it is sold, whatever the row says. */
export function OffAbove({ rows, edit }: { rows: readonly Named[]; edit: (id: string) => string }) {
  const { t } = useTranslation();
  return rows
    .filter((row) => !row.active)
    .map((row) => (
      <Alert
        key={row.id}
        className="above-off"
        type="warning"
        showIcon
        title={
          <>
            {t('editor.off_above')} <Link to={edit(row.id)}>{row.name}</Link>
          </>
        }
      />
    ));
}

interface Named {
  id: string;
  name: string;
  active: boolean;
}
