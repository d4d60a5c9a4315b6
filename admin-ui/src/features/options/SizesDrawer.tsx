import { DownOutlined, RightOutlined, SearchOutlined } from '@ant-design/icons';
import { Checkbox, Input } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { Chip } from '../../lib/ui/page';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { useNotify } from '../../lib/ui/notify';
import { EmptyState, NothingMatches, ProblemAlert, QueryFallback } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { groupCalls, keys, useRefreshCatalogue, useWholeMenu } from '../categories-and-products/shared/api';
import type { OptionGroup } from '../categories-and-products/shared/types';
import {
  type Choices,
  choose,
  difference,
  isChosen,
  matching,
  type Size,
  type SizedCategory,
  type SizedProduct,
  sizesOf,
  sizeTree,
} from './sizes';
import './sizes.css';

interface Props {
  group: OptionGroup;
  onClose: () => void;
}

/** Gives a group to many sizes at once, and takes it from others. */
export function SizesDrawer({ group, onClose }: Props) {
  const { t } = useTranslation();
  const menu = useWholeMenu();
  const tree = useMemo(() => menu.data && sizeTree(menu.data, group.id), [menu.data, group.id]);
  const [choices, setChoices] = useState<Choices>(new Map());
  const [search, setSearch] = useState('');
  const shown = useMemo(() => tree && matching(tree, search), [tree, search]);
  const saving = useSaving({ group, onClose, tree: tree ?? [], choices });
  return (
    <SideDrawer
      title={t('option_groups.sizes_of', { name: group.name })}
      width={640}
      onClose={() => void saving.close()}
      footer={<Buttons {...saving} />}
    >
      {saving.error !== undefined && <ProblemAlert error={saving.error} />}
      <p className="edit-lead">{t('option_groups.sizes_lead')}</p>
      <Input
        type="search"
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        aria-label={t('option_groups.sizes_search')}
        placeholder={t('option_groups.sizes_search')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {!shown && <QueryFallback query={menu} rows={8} />}
      {tree?.length === 0 && (
        <EmptyState title={t('option_groups.sizes_none')} text={t('option_groups.sizes_none_text')} />
      )}
      {tree && tree.length > 0 && shown?.length === 0 && <NothingMatches onClear={() => setSearch('')} />}
      <div className="size-tree">
        {shown?.map((category) => (
          <Category
            key={category.id}
            category={category}
            opened={search.trim() !== '' || shown.length === 1}
            choices={choices}
            onChoose={(sizes, on) => setChoices((before) => choose(before, sizes, on))}
          />
        ))}
      </div>
    </SideDrawer>
  );
}

/** Sends what differs; closing with something to save asks first. */
function useSaving({ group, onClose, tree, choices }: Props & { tree: SizedCategory[]; choices: Choices }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const refresh = useRefreshCatalogue();
  const { busy, error, work } = useInlineWork();
  const { add, remove } = difference(tree, choices);
  const dirty = add.length + remove.length > 0;
  const save = async () => {
    const done = await work(async () => {
      const saved = await groupCalls.sizes(group.id, add, remove);
      void refresh({ into: keys.groups(), row: saved });
    });
    if (!done) return;
    notify.saved();
    onClose();
  };
  const close = async () => {
    const leave =
      !dirty ||
      (await notify.confirm({
        title: t('option_groups.sizes_leave'),
        effect: t('option_groups.sizes_leave_effect'),
        verb: t('option_groups.sizes_leave_verb'),
      }));
    if (leave) onClose();
  };
  return { busy, error, dirty, added: add.length, removed: remove.length, save, close };
}

function Buttons({ busy, dirty, added, removed, save, close }: ReturnType<typeof useSaving>) {
  const { t } = useTranslation();
  return (
    <div className="form-buttons">
      <span className="form-buttons-gap" role="status">
        {dirty && t('option_groups.sizes_change', { added, removed })}
      </span>
      <Button onClick={() => void close()}>{t('action.cancel')}</Button>
      <Button type="primary" loading={busy} disabled={!dirty} onClick={() => void save()}>
        {t('action.save')}
      </Button>
    </div>
  );
}

interface ChoiceProps {
  choices: Choices;
  onChoose: (sizes: Size[], on: boolean) => void;
}

/** A box for several sizes: chosen, not, or some of them. */
function SizesBox({ sizes, label, choices, onChoose }: ChoiceProps & { sizes: Size[]; label: string }) {
  const chosen = sizes.filter((size) => isChosen(choices, size)).length;
  return (
    <Checkbox
      checked={chosen === sizes.length}
      indeterminate={chosen > 0 && chosen < sizes.length}
      onChange={(event) => onChoose(sizes, event.target.checked)}
    >
      {label}
    </Checkbox>
  );
}

/** A category with a box for all of it; its products are shown once it is opened. */
function Category({
  category,
  opened,
  ...choice
}: ChoiceProps & { category: SizedCategory; opened: boolean }) {
  const { t } = useTranslation();
  const [own, setOwn] = useState<boolean>();
  const open = own ?? opened;
  const sizes = sizesOf(category.products);
  const chosen = sizes.filter((size) => isChosen(choice.choices, size)).length;
  return (
    <section className="size-category">
      <div className="size-head">
        <SizesBox {...choice} sizes={sizes} label={category.path} />
        <span className="num cat-soft">
          {t('option_groups.sizes_count', { chosen, total: sizes.length })}
        </span>
        <Button
          type="text"
          icon={open ? <DownOutlined /> : <RightOutlined />}
          aria-expanded={open}
          aria-label={t('option_groups.sizes_products', { name: category.path })}
          onClick={() => setOwn(!open)}
        />
      </div>
      {open && (
        <ul className="size-products">
          {category.products.map((product) => (
            <li key={product.id}>
              <ProductSizes {...choice} product={product} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ProductSizes({ product, ...choice }: ChoiceProps & { product: SizedProduct }) {
  const { t } = useTranslation();
  const { name, sizes } = product;
  const alone = sizes.length === 1 && sizes[0]!.name === name;
  return (
    <>
      <SizesBox {...choice} sizes={sizes} label={name} />
      {!product.active && <Chip>{t('state.inactive')}</Chip>}
      {!alone && (
        <span className="size-boxes" role="group" aria-label={name}>
          {sizes.map((size) => (
            <SizesBox key={size.id} {...choice} sizes={[size]} label={size.name} />
          ))}
        </span>
      )}
    </>
  );
}
