import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined } from '@ant-design/icons';
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import './list.css';
import { Button } from '../ui/Button';

interface Props<T> {
  items: readonly T[];
  keyOf: (item: T) => string;
  nameOf: (item: T) => string;
  onSort: (items: T[]) => void;
  /** Between the handle and the arrows. */
  children: (item: T, index: number) => ReactNode;
  /** Below the row, as wide as it. */
  below?: (item: T, index: number) => ReactNode;
  /** Behind the arrows. */
  after?: (item: T, index: number) => ReactNode;
  locked?: boolean;
  label?: string;
  className?: string;
}

/** Where an arrow key leads: Alt with up and down one place, with Home and End to an end. */
function target(event: KeyboardEvent, index: number, total: number): number | undefined {
  if (!event.altKey) return undefined;
  const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: total - 1 }[event.key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), total - 1);
}

/** Rows in an order made by hand: drag, arrows, or Alt with the arrow keys; each move is announced. */
export function SortRows<T>({
  items,
  keyOf,
  nameOf,
  onSort,
  children,
  below,
  after,
  locked = false,
  label,
  className = '',
}: Props<T>) {
  const { t } = useTranslation();
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const ids = items.map(keyOf);

  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= items.length) return;
    setAnnouncement(t('list.moved', { name: nameOf(items[from]!), place: to + 1, total: items.length }));
    onSort(arrayMove([...items], from, to));
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    const to = target(event, index, items.length);
    if (to === undefined || locked) return;
    event.preventDefault();
    event.stopPropagation();
    const id = ids[index]!;
    move(index, to);
    requestAnimationFrame(() =>
      list.current
        ?.querySelector<HTMLElement>(`[data-id="${globalThis.CSS.escape(id)}"] .rank-handle`)
        ?.focus(),
    );
  };
  const dragged = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) move(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)));
  };

  return (
    <>
      <div className="sr-only" aria-live="assertive">
        {announcement}
      </div>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={dragged}
        accessibility={{ screenReaderInstructions: { draggable: t('list.sort_help') } }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <ul className={`rank sort ${className}`} ref={list} aria-label={label}>
            {items.map((item, index) => (
              <SortRow
                key={ids[index]}
                id={ids[index]!}
                index={index}
                last={index === items.length - 1}
                name={nameOf(item)}
                alone={locked || items.length < 2}
                move={move}
                onKey={onKey}
                after={after?.(item, index)}
                below={below?.(item, index)}
              >
                {children(item, index)}
              </SortRow>
            ))}
          </ul>
        </SortableContext>
      </DndContext>
    </>
  );
}

interface RowProps {
  id: string;
  index: number;
  last: boolean;
  name: string;
  /** Nothing to sort: no handle, no arrows. */
  alone: boolean;
  move: (from: number, to: number) => void;
  onKey: (event: KeyboardEvent, index: number) => void;
  after: ReactNode;
  below: ReactNode;
  children: ReactNode;
}

function SortRow({ id, index, last, name, alone, move, onKey, after, below, children }: RowProps) {
  const { t } = useTranslation();
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled: alone,
  });
  return (
    <li
      ref={setNodeRef}
      data-id={id}
      data-dragging={isDragging}
      className="sort-item"
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <div className="rank-row sort-row" onKeyDown={(event) => onKey(event, index)}>
        {!alone && (
          <Button
            ref={setActivatorNodeRef}
            {...listeners}
            className="rank-handle"
            type="text"
            icon={<HolderOutlined />}
            aria-label={t('list.drag', { name })}
          />
        )}
        <div className="sort-body">{children}</div>
        {!alone && (
          <span className="sort-arrows">
            <Button
              type="text"
              icon={<ArrowUpOutlined />}
              disabled={index === 0}
              aria-label={t('list.up_of', { name })}
              onClick={() => move(index, index - 1)}
            />
            <Button
              type="text"
              icon={<ArrowDownOutlined />}
              disabled={last}
              aria-label={t('list.down_of', { name })}
              onClick={() => move(index, index + 1)}
            />
          </span>
        )}
        {after}
      </div>
      {below}
    </li>
  );
}
