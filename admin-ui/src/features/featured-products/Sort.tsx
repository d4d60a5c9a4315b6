import { useTranslation } from 'react-i18next';
import type { FeaturedProduct } from '../../generated/model';
import { SortRows } from '../../lib/crud/SortRows';
import { RankAlert } from '../../lib/form/RankAlert';
import { useRankForm } from '../../lib/form/useRankForm';
import { useHotkey } from '../../lib/hooks';
import { Button } from '../../lib/ui/Button';
import { useFeaturedCalls } from './api';
import { Facts } from './Facts';
import { ProductPicker } from './ProductPicker';

interface Props {
  rows: readonly FeaturedProduct[];
  /** Resolves when the product is in the list, or was refused. */
  add: (product: { id: string; name: string }) => Promise<void>;
  /** Sorting is over. */
  onDone: () => void;
}

/** The list while it is sorted. Adding a product saves the order first, and sorting goes on. */
export default function Sort({ rows, add, onDone }: Props) {
  const { t } = useTranslation();
  const { rank, refresh } = useFeaturedCalls();
  const form = useRankForm({ rows, send: rank, refresh, onSaved: () => undefined });
  const { dirty, saving } = form;
  const save = async () => {
    if (!dirty || (await form.save())) onDone();
  };
  useHotkey('ctrl+s', () => void save(), !saving);
  return (
    <>
      <div className="rank-bar">
        <p>{t('list.sort_help')}</p>
        {dirty && (
          <Button disabled={saving} onClick={form.reset}>
            {t('catalogue.sort_reset')}
          </Button>
        )}
        <Button type="primary" loading={saving} onClick={() => void save()}>
          {t('list.save_order')}
        </Button>
      </div>
      <RankAlert form={form} />
      <div className="list-tools">
        <ProductPicker
          featured={rows}
          onPick={async (product) => {
            if (!dirty || (await form.save())) await add(product);
          }}
        />
      </div>
      <SortRows
        items={form.rows}
        keyOf={(row) => row.id}
        nameOf={(row) => row.name}
        onSort={form.sort}
        locked={saving}
        label={t('featured_products.list')}
      >
        {(row, index) => (
          <>
            <span className="rank-number num">{index + 1}.</span>
            <span className="rank-name">{row.name}</span>
            <Facts row={row} />
          </>
        )}
      </SortRows>
    </>
  );
}
