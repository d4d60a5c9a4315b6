import { Button } from '../ui/Button';
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
import { useInvalidate } from '@refinedev/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../http';
import { resourceInfo } from '../resources';
import { fillPath } from '../target';
import { useUnsaved } from '../form/unsaved';
import { useNotify } from '../ui/notify';
import type { Row } from './useResourceForm';

interface Props {
  resource: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  params?: Record<string, unknown> | undefined;
  onDone: () => void;
}

/** Order by hand: drag, buttons, or Alt+arrows; each move is announced; one call saves the whole order. */
export default function RankList({ resource, rows, nameOf, params, onDone }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const invalidate = useInvalidate();
  const info = resourceInfo(resource);
  const [order, setOrder] = useState(() => rows.map((row) => row.id!));
  const [saving, setSaving] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const before = rows.map((row) => row.id!);
  const dirty = order.join() !== before.join();
  const byId = new Map(rows.map((row) => [row.id!, row]));
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));

  const send = (ids: readonly string[]) =>
    request(fillPath(info.rankPath!, params), { method: 'PUT', body: { [info.rankBody ?? 'ids']: ids } });
  const refresh = () => invalidate({ resource, invalidates: ['list'] });
  const save = async (): Promise<boolean> => {
    setSaving(true);
    try {
      await send(order);
      unsaved.clean();
      await refresh();
      notify.undo(t('list.order_saved'), async () => {
        await send(before);
        await refresh();
      });
      onDone();
      return true;
    } catch (error) {
      notify.problem(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const unsaved = useUnsaved({ dirty, save });

  const move = (from: number, to: number) => {
    if (to < 0 || to >= order.length) return;
    setOrder(arrayMove(order, from, to));
    setAnnouncement(
      t('list.moved', { name: nameOf(byId.get(order[from]!)!), place: to + 1, total: order.length }),
    );
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    const to = index + (event.key === 'ArrowUp' ? -1 : 1);
    const id = order[index]!;
    move(index, to);
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-id="${id}"] button`)?.focus(),
    );
  };
  const dragged = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) move(order.indexOf(String(active.id)), order.indexOf(String(over.id)));
  };

  return (
    <>
      <div className="rank-bar">
        <p>{t('list.sort_help')}</p>
        <Button disabled={saving} onClick={() => void unsaved.ask().then((go) => go && onDone())}>
          {t('action.cancel')}
        </Button>
        <Button type="primary" loading={saving} disabled={!dirty} onClick={() => void save()}>
          {t('list.save_order')}
        </Button>
      </div>
      <div className="sr-only" aria-live="assertive">
        {announcement}
      </div>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={dragged}
        accessibility={{ screenReaderInstructions: { draggable: t('list.sort_help') } }}
      >
        <SortableContext items={order} strategy={verticalListSortingStrategy}>
          <ul className="rank" ref={list}>
            {order.map((id, index) => (
              <RankRow
                key={id}
                id={id}
                index={index}
                last={index === order.length - 1}
                name={nameOf(byId.get(id) ?? { id })}
                move={move}
                onKey={onKey}
              />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
    </>
  );
}

function RankRow({
  id,
  index,
  last,
  name,
  move,
  onKey,
}: {
  id: string;
  index: number;
  last: boolean;
  name: string;
  move: (from: number, to: number) => void;
  onKey: (event: KeyboardEvent, index: number) => void;
}) {
  const { t } = useTranslation();
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  return (
    <li
      ref={setNodeRef}
      data-id={id}
      data-dragging={isDragging}
      className="rank-row"
      style={{ transform: CSS.Translate.toString(transform), transition }}
      onKeyDown={(event) => onKey(event, index)}
    >
      <Button
        ref={setActivatorNodeRef}
        {...listeners}
        className="rank-handle"
        type="text"
        icon={<HolderOutlined />}
        aria-label={t('list.drag', { name })}
      />
      <span className="rank-number num">{index + 1}.</span>
      <span className="rank-name">{name}</span>
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
    </li>
  );
}
