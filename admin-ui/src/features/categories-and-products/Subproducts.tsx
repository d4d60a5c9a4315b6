import { DeleteOutlined, DownOutlined, PlusOutlined, WarningOutlined } from '@ant-design/icons';
import { Switch } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { useNarrow } from '../../lib/hooks';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip } from '../../lib/ui/page';
import type { ProductDraft, SubproductDraft } from './product';
import type { Level } from './shared/inherit';
import { SortRows } from '../../lib/crud/SortRows';
import { useBusy, useLocked } from '../../lib/form/fieldState';
import { SubproductFields } from './SubproductFields';

interface Props {
  draft: ProductDraft;
  /** The price of the only size. */
  price: ReactNode;
  above: readonly Level[];
  /** Keys of the sizes with a fault. */
  faulty: ReadonlySet<string>;
  opened: string | undefined;
  onOpen: (key: string | undefined) => void;
  onChange: (key: string, change: Partial<SubproductDraft>) => void;
  onSort: (rows: SubproductDraft[]) => void;
  onAdd: () => void;
}

/** The sizes of a product. They are part of its draft: nothing is saved before the product is. */
export function Subproducts({ draft, price, above, faulty, opened, onOpen, onChange, onSort, onAdd }: Props) {
  const { t } = useTranslation();
  const mayEdit = !useLocked();
  const narrow = useNarrow();
  const rows = draft.subproducts;
  const single = rows.length === 1;
  const nameOf = useNames(draft);
  const { mayDrop, drop } = useDrop({ rows, nameOf, opened, onOpen, onSort });
  return (
    <Card
      flush
      className="sizes"
      title={t('editor.price')}
      extra={faulty.size > 0 && <FaultChip>{t('catalogue.to_fix', { number: faulty.size })}</FaultChip>}
    >
      <div className="sizes-price">
        {single ? price : <p className="edit-lead">{t('editor.price_lead')}</p>}
      </div>
      <SortRows
        items={rows}
        keyOf={(row) => row.key}
        nameOf={nameOf}
        onSort={onSort}
        locked={!mayEdit}
        label={t('products.subproducts')}
        className="sizes-list"
        after={(row) => (
          <>
            <ActiveSwitch row={row} name={nameOf(row)} onChange={(active) => onChange(row.key, { active })} />
            {mayDrop(row) && !narrow && (
              <Button
                type="text"
                danger
                icon={<DeleteOutlined />}
                aria-label={t('subproducts.delete_of', { name: nameOf(row) })}
                onClick={() => void drop(row)}
              />
            )}
          </>
        )}
        below={(row) =>
          opened === row.key ? (
            <div className="size-fields" id={`size-${row.key}`} role="region" aria-label={nameOf(row)}>
              <SubproductFields
                row={row}
                single={single}
                productName={draft.name}
                above={above}
                others={rows.filter((other) => other !== row)}
                onChange={(change) => onChange(row.key, change)}
              />
              {mayDrop(row) && narrow && (
                <Button className="size-drop" danger icon={<DeleteOutlined />} onClick={() => void drop(row)}>
                  {t('subproducts.delete')}
                </Button>
              )}
            </div>
          ) : null
        }
      >
        {(row) => (
          <SizeHead
            row={row}
            name={nameOf(row)}
            faulty={faulty.has(row.key)}
            open={opened === row.key}
            onToggle={() => onOpen(opened === row.key ? undefined : row.key)}
          />
        )}
      </SortRows>
      {mayEdit && <Foot single={single} onAdd={onAdd} />}
    </Card>
  );
}

function Foot({ single, onAdd }: Pick<Props, 'onAdd'> & { single: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="sizes-foot">
      <Button icon={<PlusOutlined />} onClick={onAdd}>
        {t('subproducts.new')}
      </Button>
      {single && <p className="edit-help">{t('products.only_size_help')}</p>}
    </div>
  );
}

/** How a size is called; the only one has the product's name unless it has its own. */
function useNames({ name, subproducts }: ProductDraft) {
  const { t } = useTranslation();
  return (row: SubproductDraft) =>
    row.name.trim() || (subproducts.length === 1 ? name.trim() : '') || t('products.unnamed');
}

interface DropOptions extends Pick<Props, 'opened' | 'onOpen' | 'onSort'> {
  rows: readonly SubproductDraft[];
  nameOf: (row: SubproductDraft) => string;
}

/** Takes a size out, with a question unless it is new and empty. The last one stays. */
function useDrop({ rows, nameOf, opened, onOpen, onSort }: DropOptions) {
  const { t } = useTranslation();
  const mayDelete = useCan()('catalog_delete');
  const notify = useNotify();
  const mayEdit = !useLocked();
  const drop = async (row: SubproductDraft) => {
    const fresh = !row.id && !row.name && !row.price;
    if (
      !fresh &&
      !(await notify.confirm({
        title: t('confirm.delete', { name: nameOf(row) }),
        effect: t('subproducts.delete_effect'),
        verb: t('action.delete'),
      }))
    )
      return;
    if (opened === row.key) onOpen(undefined);
    onSort(rows.filter((other) => other !== row));
  };
  return {
    mayDrop: (row: SubproductDraft) => mayEdit && rows.length > 1 && (!row.id || mayDelete),
    drop,
  };
}

interface SwitchProps {
  row: SubproductDraft;
  name: string;
  onChange: (active: boolean) => void;
}

function ActiveSwitch({ row, name, onChange }: SwitchProps) {
  const { t } = useTranslation();
  const can = useCan();
  const busy = useBusy();
  const mayEdit = !useLocked();
  return (
    <label className="target">
      <Switch
        checked={row.active}
        disabled={busy || !(row.id ? can('catalog_activate') : mayEdit)}
        aria-label={t('list.active_of', { name })}
        onChange={onChange}
      />
    </label>
  );
}

const FaultChip = ({ children }: { children: ReactNode }) => (
  <Chip tone="error" icon={<WarningOutlined aria-hidden />}>
    {children}
  </Chip>
);

interface HeadProps {
  row: SubproductDraft;
  name: string;
  faulty: boolean;
  open: boolean;
  onToggle: () => void;
}

/** A size in one line, which opens its fields. */
function SizeHead({ row, name, faulty, open, onToggle }: HeadProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const groups = row.option_group_ids.length;
  const allergens = row.allergenic_ids.length;
  return (
    <button
      type="button"
      className="size-head"
      data-fault={faulty}
      aria-expanded={open}
      aria-controls={`size-${row.key}`}
      onClick={onToggle}
    >
      <DownOutlined className="size-caret" aria-hidden />
      <span className="size-name">
        {name}
        {faulty && <FaultChip>{t('subproducts.has_fault')}</FaultChip>}
      </span>
      <span className="size-facts">
        {groups > 0 && <span>{t('subproducts.groups', { number: groups })}</span>}
        {allergens > 0 && <span>{t('subproducts.allergens', { number: allergens })}</span>}
        {row.sellable_quantity !== null && (
          <span>{t('subproducts.left', { number: row.sellable_quantity })}</span>
        )}
      </span>
      <span className="num cat-price">
        {row.price === '' ? <i className="cat-soft">{t('subproducts.no_price')}</i> : money(row.price)}
      </span>
    </button>
  );
}
