import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { keepPreviousData } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { menuCompositionTry } from '../../generated/client/catalogue/catalogue';
import type { Composition, CompositionDraft, CompositionVat } from '../../generated/model';
import { labelOf } from '../../lib/fields/labels';
import { useFormat } from '../../lib/format';
import { useDebounced } from '../../lib/hooks';
import { ApiError, retryOnce } from '../../lib/http';
import { explain } from '../../lib/problem';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Dialog } from '../../lib/ui/Dialog';
import { NumberInput } from '../../lib/ui/NumberInput';
import { type ComponentDraft, newComponent, type SubproductDraft } from './product';
import { MoneyInput } from './shared/fields';
import { SizeSelect } from './shared/sizes';

/** The most pieces of one part, and the most parts, that the service takes. */
export const MOST_PIECES = 999;
const MOST = 50;
/** The split is asked for when nothing has changed for so long. ms */
const PAUSE_MS = 350;

/** What the dialog gives back. */
export type Composed = Pick<SubproductDraft, 'price' | 'components'>;

interface Props {
  row: SubproductDraft;
  onTake: (composed: Composed) => void;
  onClose: () => void;
}

/** Puts a menu together: its price, its components, and how the price and its VAT are split over them. */
export function CompositionDialog({ row, onTake, onClose }: Props) {
  const { t } = useTranslation();
  const [price, setPrice] = useState(row.price);
  const [components, setComponents] = useState<readonly ComponentDraft[]>(
    row.components.length ? row.components : [newComponent(), newComponent()],
  );
  const split = useSplit(row.id, price, components);
  const named = components.filter(({ subproduct_id }) => subproduct_id);
  const twice = named.length > new Set(named.map(({ subproduct_id }) => subproduct_id)).size;
  const incomplete = named.some(({ pieces }) => !pieces);
  const fault = twice ? t('composition.twice') : incomplete ? t('subproducts.component_incomplete') : '';
  return (
    <Dialog
      // The only size of a product has no name of its own.
      title={row.name ? t('composition.title', { name: row.name }) : t('composition.title_unnamed')}
      width={720}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t('action.cancel')}
        </Button>,
        <Button
          key="take"
          type="primary"
          disabled={fault !== ''}
          onClick={() => onTake({ price, components: named })}
        >
          {t('composition.take')}
        </Button>,
      ]}
    >
      <p className="edit-help">{t('subproducts.components_help')}</p>
      <div className="composition-price">
        <label htmlFor="composition-price">{labelOf('subproducts', 'price')}</label>
        <MoneyInput control={{ id: 'composition-price' }} value={price} onChange={setPrice} />
      </div>
      <Rows size={row.id} rows={components} onChange={setComponents} />
      <div role="status" className="composition-said">
        {fault || split.said}
      </div>
      {split.shown && !fault && <Split of={split.shown} price={price} stale={split.stale} />}
    </Dialog>
  );
}

/** The components that are entered: a size and its pieces each. */
function Rows({
  size,
  rows,
  onChange,
}: {
  /** The menu itself. */
  size: string | undefined;
  rows: readonly ComponentDraft[];
  onChange: (rows: readonly ComponentDraft[]) => void;
}) {
  const { t } = useTranslation();
  const change = (key: string, fields: Partial<ComponentDraft>) =>
    onChange(rows.map((other) => (other.key === key ? { ...other, ...fields } : other)));
  return (
    <div className="groups">
      {rows.map((component, at) => (
        <div
          className="component"
          role="group"
          aria-label={t('subproducts.component_nth', { number: at + 1 })}
          key={component.key}
        >
          <SizeSelect
            label={t('subproducts.component_size', { number: at + 1 })}
            without={size}
            value={component.subproduct_id}
            onChange={(subproduct_id) => change(component.key, { subproduct_id })}
          />
          <NumberInput<number>
            aria-label={t('subproducts.component_pieces', { number: at + 1 })}
            min={1}
            max={MOST_PIECES}
            precision={0}
            value={component.pieces}
            onChange={(pieces) => change(component.key, { pieces })}
            suffix={t('subproducts.pieces')}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('subproducts.remove_component', { number: at + 1 })}
            onClick={() => onChange(rows.filter(({ key }) => key !== component.key))}
          />
        </div>
      ))}
      {rows.length < MOST && (
        <Button
          className="component-add"
          icon={<PlusOutlined />}
          onClick={() => onChange([...rows, newComponent()])}
        >
          {t('subproducts.add_component')}
        </Button>
      )}
    </div>
  );
}

/** The split of what is entered so far, asked of the service that prices orders. */
function useSplit(id: string | undefined, price: string, components: readonly ComponentDraft[]) {
  const { t } = useTranslation();
  const rows = components.flatMap(({ subproduct_id, pieces }) =>
    subproduct_id && pieces ? [{ subproduct_id, pieces }] : [],
  );
  const distinct = new Set(rows.map(({ subproduct_id }) => subproduct_id)).size === rows.length;
  const draft: CompositionDraft | undefined =
    rows.length && price !== '' && distinct
      ? { ...(id ? { id } : {}), price: price as unknown as number, components: rows }
      : undefined;
  const text = draft ? JSON.stringify(draft) : '';
  const still = useDebounced(text, PAUSE_MS);
  const query = useRead(
    readKey('menuCompositionTry', still),
    () => menuCompositionTry(...here(), JSON.parse(still) as CompositionDraft),
    {
      enabled: still !== '' && text !== '',
      placeholderData: keepPreviousData,
      retry: retryOnce,
    },
  );
  const current = text === still && query.isSuccess && !query.isPlaceholderData;
  const said = () => {
    if (!rows.length) return t('composition.empty');
    if (price === '') return t('composition.no_price');
    if (query.error && text === still) return wordsOf(query.error, t);
    return '';
  };
  return { shown: text === '' ? undefined : query.data, stale: !current, said: said() };
}

/** What is wrong with a component, in the words of whoever puts the menu together. */
function wordsOf(error: unknown, t: TFunction): string {
  const keys = error instanceof ApiError ? error.keys : [];
  const at = keys.map((key) => /^components\.(\d+)\./.exec(key)?.[1]).find((found) => found !== undefined);
  return at === undefined ? explain(error).text : t('composition.cannot', { number: Number(at) + 1 });
}

/** How the price of one menu is split. */
function Split({ of, price, stale }: { of: Composition; price: string; stale: boolean }) {
  const { t } = useTranslation();
  const { money, percent } = useFormat();
  const saved = Number(of.list_price) - Number(price);
  return (
    <section className={stale ? 'composition stale' : 'composition'} aria-busy={stale}>
      <div className="composition-scroll" tabIndex={0} role="group" aria-label={t('composition.split')}>
        <table>
          <caption>{t('composition.split')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('composition.part')}</th>
              <th scope="col">{t('composition.alone')}</th>
              <th scope="col">{t('composition.share')}</th>
              <th scope="col">{t('composition.vat')}</th>
              <th scope="col">{t('composition.vat_here')}</th>
            </tr>
          </thead>
          <tbody>
            {of.components.map((part) => (
              <tr key={part.subproduct_id}>
                <th scope="row">
                  {part.pieces > 1 && `${part.pieces} × `}
                  {part.name}
                  {!part.active && <i className="cat-soft"> · {t('composition.inactive')}</i>}
                </th>
                <td className="num">{money(part.list_price)}</td>
                <td className="num">{money(part.price)}</td>
                <td className="num">{percent(part.vat_percent)}</td>
                <td className="num">{percent(part.sit_in_vat_percent)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('composition.total')}</th>
              <td className="num">{money(of.list_price)}</td>
              <td className="num">{money(price)}</td>
              <td colSpan={2} />
            </tr>
          </tfoot>
        </table>
      </div>
      <p>
        {saved > 0
          ? t('composition.saved', { amount: money(saved) })
          : saved < 0
            ? t('composition.dearer', { amount: money(-saved) })
            : t('composition.same')}
      </p>
      <Vats label={t('composition.vats')} vats={of.vats} />
      <Vats label={t('composition.vats_here')} vats={of.sit_in_vats} />
    </section>
  );
}

/** The VAT in one menu, in a line. */
function Vats({ label, vats }: { label: string; vats: readonly CompositionVat[] }) {
  const { money, percent } = useFormat();
  return (
    <p>
      {label}: {vats.map(({ percent: rate, vat }) => `${percent(rate)}: ${money(vat)}`).join(' · ')}
    </p>
  );
}
