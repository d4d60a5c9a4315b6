import i18next from 'i18next';
import { t } from '../../../lib/i18n';
import { ApiError } from '../../../lib/http';

/** A fault of one cell of a file that was refused. */
export interface CellFault {
  /** In the file, from 1. */
  row: number;
  /** The town or street of the row, where it can be read. */
  name: string;
  column: string;
  reason: string;
}

/**
 * The faults of a refused file by row; none when it was refused for another reason.
 * @param labelOf what the column of a key is called
 */
export function faultsOf(error: unknown, labelOf: (key: string) => string): CellFault[] {
  if (!(error instanceof ApiError)) return [];
  return (error.problem.rows ?? []).map(({ row, key, name, code, detail, fault }) => {
    // How long is too long is not told of cells.
    const what = [fault, code].find(
      (one) => one && !one.startsWith('too_') && i18next.exists(`fault.${one}`),
    );
    return {
      row,
      name: name ?? '',
      column: key ? labelOf(key) : '',
      reason: what ? t(`fault.${what}`) : (detail ?? t('problem.field')),
    };
  });
}
