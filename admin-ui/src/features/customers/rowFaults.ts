import i18next from 'i18next';
import { ApiError } from '../../lib/http';
import { t } from '../../lib/i18n';

/** Why a cell of a file cannot be taken. */
export interface RowFault {
  row: number;
  column: string;
  reason: string;
}

const known = (key: string) => i18next.exists(key);

/** What a column of a file is called; one that is no field of a customer is an address's. */
function columnName(key: string | undefined): string {
  const name = key?.split('.').at(-1) ?? '';
  for (const prefix of ['shadow_customers', 'shadow_customers.addresses'])
    if (name && known(`${prefix}.${name}`)) return t(`${prefix}.${name}`);
  return name || '–';
}

/** The faults of a file that was refused, row by row; none for a refusal of another kind. */
export function rowFaults(error: unknown): RowFault[] {
  if (!(error instanceof ApiError)) return [];
  return (error.problem.rows ?? []).map(({ row, key, fault, code, detail }) => ({
    row,
    column: columnName(key),
    reason:
      [`fault.${fault}`, `errors.${code}`].filter(known).map((text) => t(text, { limit: '' }))[0] ??
      detail ??
      t('problem.field'),
  }));
}
