import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../lib/access';
import { labelOf } from '../../lib/fields/labels';
import { FieldRow } from '../../lib/form/FieldRow';
import { ImageField } from '../../lib/media/ImageField';
import { useRestaurant } from '../../lib/target';
import { Chip } from '../../lib/ui/page';
import { parentChoices } from './category';
import { useEditUrl } from './links';
import { OffAbove } from './shared/cards';
import { untranslated } from './shared/draft';
import { ActiveField, TextPair } from './shared/fields';
import { FoldedGroup, Group } from './shared/Group';
import { CATEGORY } from './shared/groups';
import { ColorPicker } from './shared/pickers';
import type { ProductCategory } from './shared/types';
import { useColorSummary } from './shared/summaries';
import { CATEGORIES, type CategoryForm } from './useCategoryForm';

interface Props {
  form: CategoryForm;
}

/** Name, description and pictures: what guests see. */
export function NameGroup({ form }: Props) {
  const { t } = useTranslation();
  const { draft, set } = form;
  const missing = useRestaurant().secondary_language ? untranslated(draft) : 0;
  const common = { resource: CATEGORIES, value: { ...draft }, onChange: set };
  return (
    <Group
      title={t('editor.name_pictures')}
      extra={missing > 0 && <Chip tone="info">{t('catalogue.untranslated', { number: missing })}</Chip>}
    >
      <TextPair {...common} field="name" required max={100} />
      <TextPair {...common} field="description" long max={2000} />
      <Pictures form={form} />
    </Group>
  );
}

/** Whether it is on, and below which category. */
export function PlaceGroup({
  form,
  categories,
  chain,
}: Props & { categories: readonly ProductCategory[]; chain: readonly ProductCategory[] }) {
  const { t } = useTranslation();
  const can = useCan();
  const edit = useEditUrl();
  const { draft, set, isNew } = form;
  return (
    <Group title={t('editor.place')}>
      <OffAbove rows={chain} edit={edit} />
      <ActiveField
        value={draft.active}
        onChange={(active) => set({ active })}
        help={t('product_categories.active_help')}
        allowed={isNew ? can('catalog_edit') : can('catalog_activate')}
      />
      <ParentField form={form} categories={categories} />
    </Group>
  );
}

/** Its colour on the till. */
export function TillGroup({ form: { draft, set } }: Props) {
  const { t } = useTranslation();
  const colorSaid = useColorSummary();
  return (
    <FoldedGroup title={t('editor.till')} said={colorSaid(draft.pos_color_id)} fields={CATEGORY.till}>
      <ColorPicker
        path="pos_color_id"
        label={t('field.pos_color_id')}
        value={draft.pos_color_id}
        onChange={(pos_color_id) => set({ pos_color_id })}
        sample={draft.name}
      />
    </FoldedGroup>
  );
}

/** The value of the select for a category of the top level. */
const TOP = 'top';

/** The category above; fixed while there are categories below. */
function ParentField({ form, categories }: Props & { categories: readonly ProductCategory[] }) {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const { row, draft, set } = form;
  const fixed = (row?.children_count ?? 0) > 0;
  return (
    <FieldRow
      path="parent_id"
      label={labelOf(CATEGORIES, 'parent_id')}
      help={t(fixed ? 'product_categories.parent_fixed' : 'product_categories.parent_id_help')}
    >
      {(control) => (
        <Select<string>
          {...control}
          className="edit-wide"
          disabled={!mayEdit || fixed}
          showSearch={{ optionFilterProp: 'label' }}
          value={draft.parent_id ?? TOP}
          onChange={(next) => set({ parent_id: next === TOP ? null : next })}
          options={[
            { value: TOP, label: t('product_categories.top_level') },
            ...parentChoices(categories, row ?? undefined).map((p) => ({ value: p.id, label: p.name })),
          ]}
        />
      )}
    </FieldRow>
  );
}

/** One picture for the web, one for apps and one for the description. */
const IMAGES = ['image_web', 'image_app', 'image_desc'] as const;

function Pictures({ form: { row, draft, set } }: Props) {
  const mayEdit = useCan()('catalog_edit');
  return (
    <div className="field-line">
      {IMAGES.map((field) => (
        <FieldRow key={field} group path={`${field}_id`} label={labelOf(CATEGORIES, `${field}_id`)}>
          {() => (
            <ImageField
              label={labelOf(CATEGORIES, `${field}_id`)}
              value={draft[`${field}_id`]}
              disabled={!mayEdit}
              saved={row ? { id: row[`${field}_id`], image: row[field] } : undefined}
              onChange={(id) => set({ [`${field}_id`]: id })}
            />
          )}
        </FieldRow>
      ))}
    </div>
  );
}
