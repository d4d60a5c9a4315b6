import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../lib/access';
import { usePageUrl } from '../../lib/navigation';
import { useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { QueryFallback } from '../../lib/ui/states';
import { groupCalls, keys } from '../categories-and-products/shared/api';
import type { OptionGroup } from '../categories-and-products/shared/types';
import { SizesDrawer } from './SizesDrawer';
import { type CategoryUse, usesOf } from './uses';
import './sizes.css';

/** Categories that are open at first; more of them are folded. */
const OPEN = 3;

/** Which sizes and categories use the group, and the way to give it to others. */
export function Uses({ group }: { group: OptionGroup }) {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const [open, setOpen] = useState(false);
  const used = group.subproduct_count > 0;
  return (
    <div className="edit-lead">
      <p>
        {used
          ? t('option_groups.used_lead', { count: group.subproduct_count })
          : t('option_groups.unused_lead')}
      </p>
      {used && <Categories id={group.id} />}
      {mayEdit && <Button onClick={() => setOpen(true)}>{t('option_groups.sizes')}</Button>}
      {open && <SizesDrawer group={group} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Categories({ id }: { id: string }) {
  const one = useRead(keys.group(id), () => groupCalls.get(id));
  const uses = useMemo(() => one.data && usesOf(one.data), [one.data]);
  if (!uses) return <QueryFallback query={one} rows={3} />;
  return (
    <div className="uses">
      {uses.map((category) => (
        <Category key={category.id} category={category} open={uses.length <= OPEN} />
      ))}
    </div>
  );
}

const KEY = 'categories_and_products';

function Category({
  category: { id, label, count, products },
  open,
}: {
  category: CategoryUse;
  open: boolean;
}) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <details className="size-more" open={open}>
      <summary>
        {label} · {t('option_groups.used_by', { count })}
      </summary>
      <ul aria-label={label}>
        <li>
          <Link to={url(KEY, id)}>{t('option_groups.whole_category', { name: label })}</Link>
        </li>
        {products.map((product) => (
          <li key={product.id}>
            <Link to={url(KEY, `${id}/${product.id}`)}>{product.name}</Link>
            {product.sizes.length > 0 && <span className="cat-soft">: {product.sizes.join(', ')}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
