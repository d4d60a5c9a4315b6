import type { ShadowCustomerDetails } from '../../generated/model';
import { mergeFields } from '../../lib/form/body';
import { type DraftForm, useDraftForm } from '../../lib/form/useDraftForm';
import { useCustomerCalls } from './calls';
import {
  customerBody,
  type CustomerDraft,
  customerDraft,
  customerFaults,
  customerPath,
  newCustomer,
} from './draft';

export type CustomerForm = DraftForm<ShadowCustomerDetails, CustomerDraft>;

/** A customer's own fields as a draft; addresses and payments are saved by themselves. */
export function useCustomerForm(row: ShadowCustomerDetails | null): CustomerForm {
  const calls = useCustomerCalls();
  return useDraftForm<ShadowCustomerDetails, CustomerDraft>({
    row,
    fresh: newCustomer,
    draftOf: customerDraft,
    bodyOf: customerBody,
    merge: mergeFields,
    validate: customerFaults,
    place: customerPath,
    send: ({ id, body, key }) => (id === undefined ? calls.create(body, key) : calls.change(id, body)),
  });
}
