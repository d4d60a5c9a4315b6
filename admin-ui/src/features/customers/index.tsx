import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isWord } from '../../lib/features';
import { useAnyUnsaved } from '../../lib/form/unsaved';
import { later } from '../../lib/later';
import { usePage } from '../../lib/navigation';
import { PinCover } from '../../lib/pin/PinCover';
import { PinScreen } from '../../lib/pin/PinScreen';
import { type HeldPin, usePin } from '../../lib/pin/usePin';
import { isOf } from '../../lib/query';
import { whenIdle } from '../../lib/reach';
import { useRestaurant } from '../../lib/target';
import { PageHeader } from '../../lib/ui/page';
import '../../lib/form/draft.css';
import { CUSTOMERS } from './api';
import { AreaProvider } from './area';
import { CustomerList } from './CustomerList';
import './customers.css';

const loadEditor = () => import('./Editor');
const Editor = later(loadEditor);
const Balances = later(() => import('./Balances'));
const Import = later(() => import('./Import'));

/**
 * Customers, behind the own PIN: the list, `/{id}` and `/new` the editor, `/balances` who owes what, `/import` a
 * file of customers.
 */
export default function Customers() {
  // The PIN belongs to a company, and what was read with it to a restaurant.
  return <Gate key={useRestaurant().id} />;
}

/**
 * Whether the area is shown. Without a PIN it is when something on it is unsaved: it stays behind a cover, because
 * input must not be lost where nobody touched the page for a while.
 */
function useOpen({ pin }: HeldPin) {
  const unsaved = useAnyUnsaved();
  const client = useQueryClient();
  const [, discarded] = useState(0);
  // Decided in the very rendering in which the PIN is gone: a later one would find nothing to keep.
  const kept = useRef(false);
  const had = useRef(false);
  if (pin !== undefined || had.current) kept.current = pin === undefined && unsaved();
  had.current = pin !== undefined;
  const open = pin !== undefined || kept.current;
  useEffect(() => {
    if (!open) client.removeQueries({ predicate: ({ queryKey }) => isOf(queryKey, CUSTOMERS) });
  }, [open, client]);
  const discard = () => {
    kept.current = false;
    discarded((times) => times + 1);
  };
  return { open, discard };
}

function Gate() {
  const { t } = useTranslation();
  const held = usePin();
  const { open, discard } = useOpen(held);
  useEffect(() => whenIdle(() => void loadEditor().catch(() => undefined)), []);
  if (!open)
    return (
      <>
        <PageHeader />
        <PinScreen lead={t('customers.pin_lead')} onPin={held.hold} />
      </>
    );
  return (
    <AreaProvider held={held}>
      <Place />
      {held.pin === undefined && (
        <PinCover lead={t('customers.pin_covered')} onPin={held.hold} onDiscard={discard} />
      )}
    </AreaProvider>
  );
}

function Place() {
  const { path } = usePage();
  const [at] = path;
  if (at === undefined) return <CustomerList />;
  // The word for a new one changes with the language; what was typed stays.
  const id = isWord('new', at) ? undefined : at;
  return (
    <Suspense>
      {isWord('balances', at) ? (
        <Balances />
      ) : isWord('import', at) ? (
        <Import />
      ) : (
        <Editor key={id ?? 'new'} id={id} />
      )}
    </Suspense>
  );
}
