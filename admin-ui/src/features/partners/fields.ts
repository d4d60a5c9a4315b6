import type { Fields } from '../../lib/fields/kinds';
import { STATUSES } from './api';

/** Columns and filters of the list. */
export const fields = {
  name: { kind: 'text', readonly: true },
  status: { kind: 'select', readonly: true, options: STATUSES },
  restaurants: { kind: 'integer', readonly: true },
  users: { kind: 'integer', readonly: true },
  size_bytes: { kind: 'integer', readonly: true },
  schema_version: { kind: 'text', readonly: true },
  last_activity_at: { kind: 'datetime', readonly: true },
} satisfies Fields;
