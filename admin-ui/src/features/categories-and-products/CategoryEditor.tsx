import { Select } from 'antd';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { useCan } from '../../lib/access';
import { noEffectYet } from '../../generated/no-effect.gen';
import { labelOf } from '../../lib/fields/labels';
import { NoEffect } from '../../lib/fields/NoEffect';
import { ImageField } from '../../lib/media/ImageField';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { categoryBody, type CategoryDraft, categoryDraft, newCategory, parentChoices } from './category';
import { PageTitle } from './CategoryList';
import { categoryFacts, pathLabel } from './facts';
import { categoryCalls, keys, useById, useRefreshCatalogue } from './shared/api';
import { type Faults } from '../../lib/form/useDraft';
import { mergeFields } from '../../lib/form/body';
import { rangeFaults, untranslated } from './shared/draft';
import { DraftPage } from '../../lib/form/DraftFrame';
import { ActiveField, ColorPicker, TextPair } from './shared/fields';
import { FieldRow } from '../../lib/form/FieldRow';
import { ScheduleCard, TaxCard, VisibilityCard } from './shared/cards';
import { houseLevel } from './shared/inherit';
import { Trail, useDelete } from './shared/parts';
import { TimeRangesField } from './shared/schedule';
import type { ProductCategory } from './shared/types';
import { useDraftForm } from '../../lib/form/useDraftForm';
import { useWords } from './useWords';

const KEY = 'categories_and_products';
const RESOURCE = 'product_categories';

interface Props {
  categories: readonly ProductCategory[];
  /** None: a new category, below `?parent=`. */
  id: string | undefined;
}

/** Settings of a category. */
export function CategoryEditor({ categories, id }: Props) {
  const one = useQuery({
    queryKey: keys.category(id ?? ''),
    queryFn: () => categoryCalls.get(id!),
    enabled: id !== undefined,
  });
  if (id !== undefined && one.isError && !one.data)
    return (
      <>
        <PageHeader />
        <Card flush>
          <ErrorState error={one.error} onRetry={() => void one.refetch()} />
        </Card>
      </>
    );
  if (id !== undefined && !one.data)
    return (
      <>
        <PageHeader title={categories.find((c) => c.id === id)?.name} />
        <Card flush>
          <Loading rows={8} />
        </Card>
      </>
    );
  return <Form categories={categories} row={id === undefined ? null : one.data!} />;
}

function validate(draft: CategoryDraft): Faults {
  return {
    ...(draft.name.trim() ? {} : { name: 'form.required' }),
    ...(draft.available_from && draft.available_to && draft.available_to < draft.available_from
      ? { available_to: 'catalogue.ends_before' }
      : {}),
    ...Object.fromEntries(
      rangeFaults(draft.time_ranges).map((index) => [`time_ranges.${index}`, 'catalogue.range_incomplete']),
    ),
  };
}

const place = (key: string, draft: CategoryDraft): string | undefined => {
  const [field = '', index] = key.split('.');
  if (!(field in draft)) return undefined;
  return field === 'time_ranges' && index !== undefined ? `time_ranges.${index}` : field;
};

function Form({ categories, row }: { categories: readonly ProductCategory[]; row: ProductCategory | null }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  const restaurant = useRestaurant();
  const refresh = useRefreshCatalogue();
  const remove = useDelete();
  const words = useWords();
  const [params] = useSearchParams();
  const byId = useById(categories);
  const wanted = params.get('parent');
  const fresh = useCallback(() => newCategory(wanted && byId.has(wanted) ? wanted : null), [wanted, byId]);
  const editor = useDraftForm({
    row,
    fresh,
    draftOf: categoryDraft,
    bodyOf: categoryBody,
    merge: mergeFields<CategoryDraft>,
    validate,
    place,
    send: async ({ id, body, key }) => {
      const saved =
        id === undefined ? await categoryCalls.create(body, key) : await categoryCalls.update(id, body);
      void refresh({ key: keys.category(saved.id), into: keys.categories(), row: saved });
      return saved;
    },
  });
  const { draft, set } = editor;
  const above = useMemo(() => {
    const parent = draft.parent_id ? byId.get(draft.parent_id) : undefined;
    return [
      ...(parent ? [{ origin: 'parent_category' as const, name: parent.name, own: parent }] : []),
      houseLevel(restaurant),
    ];
  }, [draft.parent_id, byId, restaurant]);
  const mayEdit = can('catalog_edit');
  const parents = parentChoices(categories, row ?? undefined);
  const parent = row?.parent_id
    ? byId.get(row.parent_id)
    : draft.parent_id
      ? byId.get(draft.parent_id)
      : undefined;
  const contents = row ? url(KEY, row.id) : undefined;
  const name = draft.name.trim() || t('product_categories.new');
  const missing = restaurant.secondary_language ? untranslated(draft) : 0;

  return (
    <>
      <Trail
        steps={[
          { name: <PageTitle />, to: url(KEY) },
          ...(parent ? [{ name: parent.name, to: url(KEY, parent.id) }] : []),
          ...(row ? [{ name: row.name, to: contents! }] : []),
          { name: row ? t('product_categories.settings') : t('product_categories.new') },
        ]}
      />
      <PageHeader title={name} tabTitle={name} mark={!draft.active && <Chip>{t('state.inactive')}</Chip>} />
      <DraftPage
        form={editor}
        maySave={can('catalog_edit', 'catalog_activate')}
        mayEdit={mayEdit}
        factsOf={(d) => categoryFacts(d, words)}
        faultLabel={(path) => pathLabel(path, RESOURCE, {})}
        onSaved={(saved) => {
          if (!row) void navigate(url(KEY, saved.id), { replace: true });
        }}
        onAnother={() => editor.discard()}
        onRemove={
          row && can('catalog_delete')
            ? () =>
                void remove(row, () => categoryCalls.remove(row.id), {
                  inUse:
                    row.children_count > 0
                      ? t('product_categories.in_use_children', { count: row.children_count })
                      : t('product_categories.in_use_products', { count: row.product_count }),
                  gone: [keys.category(row.id), keys.allProducts(row.id)],
                  leave: () => {
                    editor.clean();
                    return navigate(url(KEY, row.parent_id ?? undefined));
                  },
                })
            : undefined
        }
      >
        <div className="edit-grid">
          <div className="edit-main">
            <Card
              title={t('catalogue.texts')}
              extra={
                missing > 0 && <Chip tone="info">{t('catalogue.untranslated', { number: missing })}</Chip>
              }
            >
              <TextPair
                resource={RESOURCE}
                field="name"
                value={{ ...draft }}
                onChange={set}
                required
                max={100}
                autoFocus={!row}
              />
              <TextPair
                resource={RESOURCE}
                field="description"
                value={{ ...draft }}
                onChange={set}
                long
                max={2000}
              />
            </Card>
            <VisibilityCard form={editor} above={above} />
            <ScheduleCard form={editor}>
              <TimeRangesField value={draft.time_ranges} onChange={(time_ranges) => set({ time_ranges })} />
            </ScheduleCard>
          </div>
          <div className="edit-side">
            <Card title={t('catalogue.state')}>
              <ActiveField
                value={draft.active}
                onChange={(active) => set({ active })}
                help={t('product_categories.active_help')}
                allowed={row ? can('catalog_activate') : can('catalog_edit')}
              />
              <FieldRow
                path="parent_id"
                label={labelOf(RESOURCE, 'parent_id')}
                help={
                  row && row.children_count > 0
                    ? t('product_categories.parent_fixed')
                    : t('product_categories.parent_id_help')
                }
              >
                {(control) => (
                  <Select<string>
                    {...control}
                    className="edit-wide"
                    disabled={!mayEdit || (row?.children_count ?? 0) > 0}
                    showSearch={{ optionFilterProp: 'label' }}
                    value={draft.parent_id ?? TOP}
                    onChange={(next) => set({ parent_id: next === TOP ? null : next })}
                    options={[
                      { value: TOP, label: t('product_categories.top_level') },
                      ...parents.map((p) => ({ value: p.id, label: p.name })),
                    ]}
                  />
                )}
              </FieldRow>
              <ColorPicker
                path="pos_color_id"
                label={t('field.pos_color_id')}
                value={draft.pos_color_id}
                onChange={(pos_color_id) => set({ pos_color_id })}
                sample={draft.name}
              />
            </Card>
            <Card title={t('catalogue.pictures')}>
              {IMAGES.map((field) => (
                <FieldRow key={field} group path={`${field}_id`} label={labelOf(RESOURCE, `${field}_id`)}>
                  {() => (
                    <ImageField
                      label={labelOf(RESOURCE, `${field}_id`)}
                      value={draft[`${field}_id`]}
                      disabled={!mayEdit}
                      saved={row ? { id: row[`${field}_id`], image: row[field] } : undefined}
                      onChange={(id) => set({ [`${field}_id`]: id })}
                    />
                  )}
                </FieldRow>
              ))}
            </Card>
            <TaxCard
              form={editor}
              above={above}
              note={<NoEffect of={noEffectYet['ProductCategory.has_tip']} />}
            />
          </div>
        </div>
      </DraftPage>
    </>
  );
}
/** A category has one picture for the web, one for apps and one for its description. */
const IMAGES = ['image_web', 'image_app', 'image_desc'] as const;
const TOP = 'top';
