import { SearchOutlined } from '@ant-design/icons';
import { Input, type InputRef } from 'antd';
import { type Ref, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useLocked } from '../../lib/form/fieldState';
import { CategoryMenu } from './CategoryMenu';
import type { Book, Entry } from './menu';
import { StockNote } from './StockNote';
import { useMenuSearch } from './useMenuSearch';
import { usePress } from './usePress';
import './taking.css';

interface Props {
  book: Book;
  /** Of the search. */
  id: string;
  /** Nothing was ordered, and something must be. */
  wrong?: boolean;
  inputRef?: Ref<InputRef>;
  /** Adds so many pieces; `ask`: with its options first. */
  onAdd: (entry: Entry, quantity: number, ask: boolean) => void;
  /** The line that was added last: digits alone are its quantity. */
  last: { name: string; set: (quantity: number) => void } | undefined;
}

/** What can be ordered: by search, with the keyboard alone, and by category. */
export function MenuPanel({ book, id, wrong, inputRef, onAdd, last }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  const list = useId();
  const found = useMenuSearch({ book, onAdd, onQuantity: last?.set });
  const { text, hits, at, alone } = found;
  const searching = text.trim() !== '';
  const open = searching && alone === undefined && hits.length > 0;
  return (
    <div className="taking-menu">
      <Input
        ref={inputRef}
        id={id}
        role="combobox"
        {...(wrong ? { 'aria-invalid': true, status: 'error' } : {})}
        aria-label={t('taking.search')}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-activedescendant={open ? `${list}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        prefix={<SearchOutlined aria-hidden />}
        placeholder={t('taking.search_hint')}
        disabled={locked}
        value={text}
        onChange={(event) => found.type(event.target.value)}
        onKeyDown={found.onKeyDown}
      />
      {searching && alone !== undefined && last && (
        <p className="taking-hint">{t('taking.quantity_of', { quantity: alone, name: last.name })}</p>
      )}
      {open && <Hits id={list} found={found} locked={locked} />}
      {searching && alone === undefined && hits.length === 0 && (
        <p className="taking-hint" role="status">
          {t('taking.nothing_found')}
        </p>
      )}
      {!searching && <CategoryMenu book={book} onAdd={(entry, ask) => onAdd(entry, 1, ask)} />}
    </div>
  );
}

/** What fits what was typed; Enter adds the marked one. */
function Hits({
  id,
  found,
  locked,
}: {
  id: string;
  found: ReturnType<typeof useMenuSearch>;
  locked: boolean;
}) {
  const { t } = useTranslation();
  const { hits, at, quantity, add } = found;
  const [list, setList] = useState<HTMLUListElement | null>(null);
  // No answer of a browser is a clean-up: newer ones answer a promise.
  useEffect(() => void list?.children[at]?.scrollIntoView({ block: 'nearest' }), [list, at]);
  return (
    <ul className="taking-hits" id={id} role="listbox" aria-label={t('taking.hits')} ref={setList}>
      {hits.map((entry, index) => (
        <Hit
          key={entry.id}
          id={`${id}-${index}`}
          entry={entry}
          marked={index === at}
          quantity={quantity}
          onAdd={(ask) => !locked && add(entry, ask)}
        />
      ))}
    </ul>
  );
}

interface HitProps {
  id: string;
  entry: Entry;
  marked: boolean;
  quantity: number;
  onAdd: (ask: boolean) => void;
}

function Hit({ id, entry, marked, quantity, onAdd }: HitProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const press = usePress(onAdd);
  return (
    <li
      id={id}
      role="option"
      aria-selected={marked}
      aria-disabled={entry.stock !== 'ready'}
      className="taking-hit"
      {...press}
      // The search keeps the focus: the next item is typed at once.
      onMouseDown={(event) => event.preventDefault()}
    >
      <span className="taking-name">
        {quantity > 1 && <b className="num">{t('taking.times', { quantity })}</b>} {entry.name}
      </span>
      <StockNote entry={entry} />
      <span className="num">{money(entry.price)}</span>
    </li>
  );
}
