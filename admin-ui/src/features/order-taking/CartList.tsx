import { DeleteOutlined, EditOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuoteItem } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { useLocked } from '../../lib/form/fieldState';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import type { Cart, Line } from './cart';
import { type Book, MOST_PIECES } from './menu';
import { type Reason, reasonsAt } from './reasons';
import { Reasons } from './Reasons';
import './taking.css';

interface Props {
  cart: Cart;
  book: Book;
  /** The lines as they were priced, by their position; gifts follow. */
  priced: readonly QuoteItem[];
  /** These prices are of an earlier cart. */
  stale: boolean;
  reasons: readonly Reason[];
  onQuantity: (key: number, quantity: number) => void;
  onChange: (line: Line) => void;
  onRemove: (line: Line) => void;
}

/** What is ordered. Delete in a line removes it. */
export function CartList(props: Props) {
  const { t } = useTranslation();
  const { cart, priced } = props;
  const gifts = priced.slice(cart.lines.length).filter(({ gift_of }) => gift_of);
  return (
    <ol className="taking-lines" data-stale={props.stale} aria-label={t('taking.cart')}>
      {cart.lines.map((line, index) => (
        <CartLine key={line.key} {...props} line={line} index={index} />
      ))}
      {gifts.map((gift) => (
        <li className="taking-line" key={`${gift.gift_of} ${gift.subproduct_id}`}>
          <span className="taking-line-name">
            {t('taking.gift', { quantity: gift.quantity, name: gift.name })}
          </span>
          <Price item={gift} />
        </li>
      ))}
    </ol>
  );
}

function CartLine({ line, index, ...props }: Props & { line: Line; index: number }) {
  const { t } = useTranslation();
  const locked = useLocked();
  const entry = props.book.byId.get(line.subproduct_id);
  const priced = props.priced[index];
  const item = priced?.subproduct_id === line.subproduct_id ? priced : undefined;
  const reasons = reasonsAt(props.reasons, 'item', index);
  const name = entry?.name ?? line.name;
  const remove = () => props.onRemove(line);
  const onKeyDown = (event: KeyboardEvent) => {
    // In the number, Delete deletes digits.
    if (event.key !== 'Delete' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    remove();
  };
  return (
    <li className="taking-line" data-wrong={reasons.length > 0} onKeyDown={onKeyDown}>
      <Quantity line={line} name={name} onQuantity={props.onQuantity} />
      <span className="taking-line-name">
        <span>{name}</span>
        <Details line={line} book={props.book} />
        <Reasons reasons={reasons} book={props.book} />
      </span>
      <Price item={item} />
      <span className="taking-line-buttons">
        {entry && (
          <Button
            type="text"
            size="small"
            icon={<EditOutlined />}
            disabled={locked}
            aria-label={t('taking.change', { name })}
            title={t('taking.change', { name })}
            onClick={() => props.onChange(line)}
          />
        )}
        <Button
          type="text"
          size="small"
          icon={<DeleteOutlined />}
          disabled={locked}
          aria-label={t('taking.remove', { name })}
          title={t('taking.remove', { name })}
          onClick={remove}
        />
      </span>
    </li>
  );
}

function Quantity({ line, name, onQuantity }: { line: Line; name: string } & Pick<Props, 'onQuantity'>) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { key, quantity } = line;
  return (
    <span className="taking-quantity">
      <Button
        type="text"
        size="small"
        icon={<MinusOutlined />}
        disabled={locked || quantity <= 1}
        aria-label={t('taking.less', { name })}
        onClick={() => onQuantity(key, quantity - 1)}
      />
      <NumberInput<number>
        size="small"
        aria-label={t('taking.pieces_of', { name })}
        min={1}
        max={MOST_PIECES}
        precision={0}
        disabled={locked}
        value={quantity}
        onFocus={(event) => event.target.select()}
        onChange={(next) => next && onQuantity(key, next)}
      />
      <Button
        type="text"
        size="small"
        icon={<PlusOutlined />}
        disabled={locked || quantity >= MOST_PIECES}
        aria-label={t('taking.more', { name })}
        onClick={() => onQuantity(key, quantity + 1)}
      />
    </span>
  );
}

/** Options by their names, and the wish. */
function Details({ line, book }: { line: Line; book: Book }) {
  const { t } = useTranslation();
  const groups = book.byId.get(line.subproduct_id)?.groups ?? [];
  const names = new Map(groups.flatMap(({ options }) => options.map(({ id, name }) => [id, name])));
  const options = Object.entries(line.options).map(([id, count]) => {
    const name = names.get(id) ?? t('taking.option_gone');
    return count > 1 ? `${t('taking.times', { quantity: count })} ${name}` : name;
  });
  return (
    <>
      {options.length > 0 && <span className="edit-help">{options.join(', ')}</span>}
      {line.message.trim() && <span className="edit-help">„{line.message.trim()}”</span>}
    </>
  );
}

/** What the line costs as it was priced; what promotions took is struck out. */
function Price({ item }: { item: QuoteItem | undefined }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  if (!item) return <span />;
  return (
    <span className="taking-price num">
      {Number(item.discount) > 0 && (
        <s>
          <span className="sr-only">{t('taking.list_price')} </span>
          {money(item.total_price)}
        </s>
      )}
      {money(item.paid_price)}
    </span>
  );
}
