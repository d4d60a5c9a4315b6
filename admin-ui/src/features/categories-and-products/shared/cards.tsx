import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../lib/ui/page';
import { TriState, VatSelect, VisibilityFields } from './inheritFields';
import { inherited, type Level } from './inherit';
import { AvailabilityField, PublicationField } from './schedule';
import type { Inheritable, Visible } from './types';

/** A draft with the fields of a card, and what changes it. */
interface Form<D> {
  draft: D;
  set: (change: Partial<D>) => void;
}

type Taxed = Pick<Inheritable, 'vat_id' | 'sit_in_vat_id' | 'has_tip'>;

interface TaxProps<D> {
  form: Form<D>;
  above: readonly Level[];
}

/** VAT rates and the service fee, inherited unless given. */
export function TaxCard<D extends Taxed>({ form: { draft, set }, above }: TaxProps<D>) {
  const { t } = useTranslation();
  const change = (part: Partial<Taxed>) => set(part as Partial<D>);
  return (
    <Card title={t('catalogue.tax')}>
      <VatSelect
        path="vat_id"
        label={t('field.vat_id')}
        value={draft.vat_id}
        from={inherited(above, 'vat_id')}
        onChange={(vat_id) => change({ vat_id })}
      />
      <VatSelect
        path="sit_in_vat_id"
        label={t('field.sit_in_vat_id')}
        value={draft.sit_in_vat_id}
        from={inherited(above, 'sit_in_vat_id')}
        onChange={(sit_in_vat_id) => change({ sit_in_vat_id })}
      />
      <TriState
        path="has_tip"
        words="fee"
        label={t('field.has_tip')}
        value={draft.has_tip}
        from={inherited(above, 'has_tip')}
        onChange={(has_tip) => change({ has_tip })}
      />
    </Card>
  );
}

/** On which channels it is shown. */
export function VisibilityCard<D extends Visible>({
  form: { draft, set },
  above,
}: {
  form: Form<D>;
  above: readonly Level[];
}) {
  const { t } = useTranslation();
  return (
    <Card title={t('catalogue.visibility')}>
      <p className="edit-lead">{t('catalogue.visibility_lead')}</p>
      <VisibilityFields
        value={draft}
        onChange={(change: Partial<Visible>) => set(change as Partial<D>)}
        above={above}
      />
    </Card>
  );
}

interface Scheduled {
  available_from: string | null;
  available_to: string | null;
  expected_at: string | null;
}

/** From when to when it is sold, and when it is published; `children` stand first. */
export function ScheduleCard<D extends Scheduled>({
  form: { draft, set },
  children,
}: {
  form: Form<D>;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const change = (part: Partial<Scheduled>) => set(part as Partial<D>);
  return (
    <Card title={t('catalogue.schedule')}>
      {children}
      <AvailabilityField value={draft} onChange={change} />
      <PublicationField value={draft.expected_at} onChange={(expected_at) => change({ expected_at })} />
    </Card>
  );
}
