import i18next from 'i18next';
import { t } from '../i18n';

/** Label of a field: the resource's own, else the common one (`field.name`). */
export const labelOf = (resource: string, field: string): string =>
  t([`${resource}.${field}`, `field.${field}`]);

/** Label of one value of a select. */
export const optionLabel = (resource: string, field: string, value: string): string =>
  t([`${resource}.${field}.${value}`, `field.${field}.${value}`]);

/** One sentence of help, where a field has a hidden rule: `<resource>.<field>_help`. */
export const helpOf = (resource: string, field: string): string | undefined =>
  i18next.exists(`${resource}.${field}_help`) ? t(`${resource}.${field}_help`) : undefined;
