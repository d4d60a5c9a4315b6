/** What the parts of the drawer share. */
import type { OrderRefusalReason } from '../../../generated/model';
import type { Draft } from '../../../lib/form/useDraft';
import { ApiError } from '../../../lib/http';
import type { Order } from '../model';
import type { useRehearsal } from './api';
import type { ChangeDraft } from './model';

export interface PartProps {
  /** As it was opened. */
  order: Order;
  form: Draft<ChangeDraft>;
}

export interface Rehearsed {
  rehearsal: ReturnType<typeof useRehearsal>;
}

/** What stands against the change, as the service says. */
export const reasonsOf = ({ error }: Rehearsed['rehearsal']): readonly OrderRefusalReason[] =>
  error instanceof ApiError && error.code === 'ORDER_NOT_ACCEPTABLE'
    ? ((error.problem.reasons ?? []) as OrderRefusalReason[])
    : [];
