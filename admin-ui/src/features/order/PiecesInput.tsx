import { MinusOutlined, PlusOutlined } from '@ant-design/icons';
import { ConfigProvider } from 'antd';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import { itemName, optionName, type OrderItem } from './model';
import { leftOf, type Pieces } from './payments/model';
import './pieces.css';

interface Props {
  items: readonly OrderItem[];
  /** Names the list. */
  label: string;
  /** From a form, which gives the focus to what is wrong. */
  ref?: Ref<{ focus: () => void }>;
  id?: string;
  value?: Pieces;
  onChange?: (pieces: Pieces) => void;
}

/** So many pieces of each line that has some left. The control of a form's item. */
export function PiecesInput({ items, label, id, ref, value = {}, onChange }: Props) {
  const list = useRef<HTMLUListElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => list.current?.querySelector('input')?.focus() }));
  const there = items.filter((item) => leftOf(item) > 0);
  return (
    <ul ref={list} className="pieces" id={id} aria-label={label}>
      {there.map((item) => (
        <Line
          key={item.id}
          item={item}
          pieces={value[item.id] ?? 0}
          onChange={(pieces) => onChange?.({ ...value, [item.id]: pieces })}
        />
      ))}
    </ul>
  );
}

interface LineProps {
  item: OrderItem;
  pieces: number;
  onChange: (pieces: number) => void;
}

function Line({ item, pieces, onChange }: LineProps) {
  const { t } = useTranslation();
  const { componentDisabled: off } = ConfigProvider.useConfig();
  const left = leftOf(item);
  const name = itemName(item);
  return (
    <li className="pieces-line" data-chosen={pieces > 0}>
      <div className="pieces-name">
        <span>{name}</span>
        {item.item_options.length > 0 && (
          <span className="edit-help">
            {item.item_options.map((option) => optionName(option)).join(', ')}
          </span>
        )}
      </div>
      <div className="pieces-count">
        <Button
          icon={<MinusOutlined />}
          disabled={off || pieces <= 0}
          aria-label={t('order.pieces_less', { name })}
          onClick={() => onChange(pieces - 1)}
        />
        <NumberInput<number>
          aria-label={t('order.pieces_of', { name })}
          min={0}
          max={left}
          precision={0}
          value={pieces}
          onFocus={(event) => event.target.select()}
          onChange={(next) => onChange(next ?? 0)}
        />
        <span className="num pieces-left">{t('order.pieces_left', { left })}</span>
        <Button
          icon={<PlusOutlined />}
          disabled={off || pieces >= left}
          aria-label={t('order.pieces_more', { name })}
          onClick={() => onChange(pieces + 1)}
        />
        <Button
          type="text"
          disabled={off || pieces === left}
          aria-label={t('order.pieces_all_of', { name })}
          onClick={() => onChange(left)}
        >
          {t('order.pieces_all')}
        </Button>
      </div>
    </li>
  );
}
