import dayjs from 'dayjs';
import type { ExportRequest, NewExportRequest } from '../../generated/model';
import { toInstant, toLocalTime } from '../../lib/fields/zone';
import { PLAIN_DAY } from '../../lib/format';

/** What the form orders; what a filter of previous orders finds is ordered from there. */
export type Kind = NewExportRequest['export_type'];

/** The form's values; those that are sent have the service's names. */
export interface ExportValues {
  export_email: string;
  export_type: Kind;
  filter_type: ExportRequest['filter_type'];
  /** Days as `2026-07-01`. */
  from: string | null;
  till: string | null;
  /** Every guest there ever was, instead of a range. */
  all: boolean;
}

/** The last month, to the own address. */
export function initialValues(kind: Kind, email: string, zone: string): ExportValues {
  const today = toLocalTime(new Date().toISOString(), zone);
  return {
    export_email: email,
    export_type: kind,
    filter_type: 'created_at',
    from: today.subtract(1, 'month').format(PLAIN_DAY),
    till: today.format(PLAIN_DAY),
    all: false,
  };
}

export function bodyOf(values: ExportValues, zone: string): NewExportRequest {
  const body: NewExportRequest = {
    export_email: values.export_email.trim(),
    export_type: values.export_type,
    filter_type: values.filter_type,
  };
  if (values.all) return { ...body, all_customers: true };
  // The end of the day, also with a clock change: the last millisecond before the next one.
  const next = toInstant(dayjs(`${values.till}T00:00`).add(1, 'day'), zone);
  return {
    ...body,
    from: toInstant(dayjs(`${values.from}T00:00`), zone),
    till: new Date(Date.parse(next) - 1).toISOString(),
  };
}
