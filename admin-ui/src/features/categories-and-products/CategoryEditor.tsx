import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { DraftPage } from '../../lib/form/DraftFrame';
import { usePageUrl } from '../../lib/navigation';
import { useRead } from '../../lib/query';
import { useRestaurant } from '../../lib/target';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { NameGroup, PlaceGroup, TillGroup } from './CategoryCards';
import { categoryFacts, pathLabel } from './facts';
import { categoryCalls, keys, useById, whoChanged } from './shared/api';
import { TaxGroup, WhereGroup } from './shared/cards';
import { CATEGORY } from './shared/groups';
import { chainOf, levelOf, restaurantLevel } from './shared/inherit';
import { PageTitle, Trail } from './shared/parts';
import { TimeRangesField } from './shared/schedule';
import type { ProductCategory } from './shared/types';
import { CATEGORIES, useCategoryForm } from './useCategoryForm';
import { useDeleteCategory } from './useDeleteCategory';
import { useWords } from './useWords';

const KEY = 'categories_and_products';

interface Props {
  categories: readonly ProductCategory[];
  /** None: a new category, below `?parent=`. */
  id: string | undefined;
}

/** Settings of a category. */
export function CategoryEditor({ categories, id }: Props) {
  const one = useRead(keys.category(id ?? ''), () => categoryCalls.get(id!), { enabled: id !== undefined });
  if (id !== undefined && !one.data)
    return (
      <>
        <PageHeader title={categories.find((c) => c.id === id)?.name} />
        <Card flush>
          <QueryFallback query={one} rows={8} />
        </Card>
      </>
    );
  return <Form categories={categories} row={id === undefined ? null : one.data!} />;
}

function Form({ categories, row }: { categories: readonly ProductCategory[]; row: ProductCategory | null }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  const restaurant = useRestaurant();
  const words = useWords();
  const remove = useDeleteCategory();
  const byId = useById(categories);
  const form = useCategoryForm(row, byId);
  const { draft, set } = form;
  const chain = useMemo(() => chainOf(byId, draft.parent_id).slice(0, 1), [byId, draft.parent_id]);
  const above = useMemo(
    () => [...chain.map((parent) => levelOf('parent_category', parent)), restaurantLevel(restaurant)],
    [chain, restaurant],
  );
  const name = draft.name.trim() || t('product_categories.new');
  return (
    <>
      <Trail steps={useSteps(byId.get(row?.parent_id ?? draft.parent_id ?? ''), row)} />
      <PageHeader title={name} tabTitle={name} mark={!draft.active && <Chip>{t('state.inactive')}</Chip>} />
      <DraftPage
        form={form}
        whoChanged={whoChanged}
        maySave={can('catalog_edit', 'catalog_activate')}
        mayEdit={can('catalog_edit')}
        factsOf={(d) => categoryFacts(d, words)}
        faultLabel={(path) => pathLabel(path, CATEGORIES, {})}
        onSaved={(saved) => {
          if (!row) void navigate(url(KEY, saved.id), { replace: true });
        }}
        onAnother={() => form.discard()}
        onRemove={
          row && can('catalog_delete')
            ? () =>
                void remove(row, () => {
                  form.clean();
                  return navigate(url(KEY, row.parent_id ?? undefined));
                })
            : undefined
        }
      >
        <div className="edit-grid">
          <div className="edit-main">
            <NameGroup form={form} />
            <WhereGroup form={form} above={above} chain={chain} fields={CATEGORY.where}>
              <TimeRangesField value={draft.time_ranges} onChange={(time_ranges) => set({ time_ranges })} />
            </WhereGroup>
          </div>
          <div className="edit-side">
            <PlaceGroup form={form} categories={categories} chain={chain} />
            <TaxGroup
              value={draft}
              onChange={set}
              above={above}
              fields={CATEGORY.tax}
              lead={t('editor.tax_lead')}
            />
            <TillGroup form={form} />
          </div>
        </div>
      </DraftPage>
    </>
  );
}

/** The way from the catalogue to the settings of the category. */
function useSteps(parent: ProductCategory | undefined, row: ProductCategory | null) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return [
    { name: <PageTitle />, to: url(KEY) },
    ...(parent ? [{ name: parent.name, to: url(KEY, parent.id) }] : []),
    ...(row ? [{ name: row.name, to: url(KEY, row.id) }] : []),
    { name: t(row ? 'product_categories.settings' : 'product_categories.new') },
  ];
}
