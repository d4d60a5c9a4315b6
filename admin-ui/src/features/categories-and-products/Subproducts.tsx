import { DeleteOutlined, DownOutlined, PlusOutlined, WarningOutlined } from '@ant-design/icons';
import { Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { useNarrow } from '../../lib/hooks';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip } from '../../lib/ui/page';
import type { ProductDraft, SubproductDraft } from './product';
import type { Level } from './shared/inherit';
import { SortRows } from './shared/SortRows';
import { useBusy, useLocked } from '../../lib/form/fieldState';
import { SubproductFields } from './SubproductFields';

interface Props {
  draft: ProductDraft;
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
export function Subproducts({ draft, above, faulty, opened, onOpen, onChange, onSort, onAdd }: Props) {
  const { t } = useTranslation();
  const can = useCan();
  const notify = useNotify();
  const locked = useLocked();
  const busy = useBusy();
  const narrow = useNarrow();
  const { money } = useFormat();
  const mayEdit = !locked;
  const rows = draft.subproducts;
  const single = rows.length === 1;
  const nameOf = (row: SubproductDraft) =>
    row.name.trim() || (single ? draft.name.trim() : '') || t('products.unnamed');
  const mayDrop = (row: SubproductDraft) => mayEdit && !single && (!row.id || can('catalog_delete'));
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

  return (
    <Card
      flush
      className="sizes"
      title={single ? t('products.only_size') : t('products.subproducts')}
      extra={
        faulty.size > 0 && (
          <Chip tone="error" icon={<WarningOutlined aria-hidden />}>
            {t('catalogue.to_fix', { number: faulty.size })}
          </Chip>
        )
      }
    >
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
            <label className="target">
              <Switch
                checked={row.active}
                disabled={busy || !(row.id ? can('catalog_activate') : mayEdit)}
                aria-label={t('list.active_of', { name: nameOf(row) })}
                onChange={(active) => onChange(row.key, { active })}
              />
            </label>
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
          <button
            type="button"
            className="size-head"
            data-fault={faulty.has(row.key)}
            aria-expanded={opened === row.key}
            aria-controls={`size-${row.key}`}
            onClick={() => onOpen(opened === row.key ? undefined : row.key)}
          >
            <DownOutlined className="size-caret" aria-hidden />
            <span className="size-name">
              {nameOf(row)}
              {faulty.has(row.key) && (
                <Chip tone="error" icon={<WarningOutlined aria-hidden />}>
                  {t('subproducts.has_fault')}
                </Chip>
              )}
            </span>
            <span className="size-facts">
              {row.option_group_ids.length > 0 && (
                <span>{t('subproducts.groups', { number: row.option_group_ids.length })}</span>
              )}
              {row.allergenic_ids.length > 0 && (
                <span>{t('subproducts.allergens', { number: row.allergenic_ids.length })}</span>
              )}
              {row.sellable_quantity !== null && (
                <span>{t('subproducts.left', { number: row.sellable_quantity })}</span>
              )}
            </span>
            <span className="num cat-price">
              {row.price === '' ? <i className="cat-soft">{t('subproducts.no_price')}</i> : money(row.price)}
            </span>
          </button>
        )}
      </SortRows>
      {mayEdit && (
        <div className="sizes-foot">
          <Button icon={<PlusOutlined />} onClick={onAdd}>
            {t('subproducts.new')}
          </Button>
          {single && <p className="edit-help">{t('products.only_size_help')}</p>}
        </div>
      )}
    </Card>
  );
}
