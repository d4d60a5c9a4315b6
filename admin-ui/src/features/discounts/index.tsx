import { Suspense, useEffect } from 'react';
import { isWord } from '../../lib/features';
import { later } from '../../lib/later';
import { usePage } from '../../lib/navigation';
import { whenIdle } from '../../lib/reach';
import '../../lib/form/draft.css';
import '../categories-and-products/catalogue.css';
import './discounts.css';
import { DiscountList } from './DiscountList';

// The list stands first; what opens over it is loaded after it.
const loadEditor = () => import('./Editor');
const Editor = later(loadEditor, 'over');
const UsageDrawer = later(() => import('./UsageDrawer'), 'over');
const CodesDrawer = later(() => import('./CodesDrawer'), 'over');
const Running = later(() => import('./Running'));

/**
 * Discounts, coupons and upsells: the list, over it behind `/new` or `/{id}` the editor, behind `/{id}/usage` and
 * `/{id}/codes` figures and codes; `/running` is what runs now.
 */
export default function Discounts() {
  const { path, open } = usePage();
  const [id, part] = path;
  useEffect(() => whenIdle(() => void loadEditor().catch(() => undefined)), []);
  if (isWord('running', id))
    return (
      <Suspense>
        <Running />
      </Suspense>
    );
  const isNew = isWord('new', id);
  const close = () => void open();
  return (
    <>
      <DiscountList />
      {id !== undefined &&
        (isWord('usage', part) ? (
          <UsageDrawer id={id} onClose={close} />
        ) : isWord('codes', part) ? (
          <CodesDrawer id={id} onClose={close} />
        ) : (
          <Editor key={id} id={isNew ? undefined : id} />
        ))}
    </>
  );
}
