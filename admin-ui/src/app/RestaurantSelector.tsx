import { DownOutlined, LoadingOutlined, ShopOutlined } from '@ant-design/icons';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnlyRestaurant } from '../lib/restaurants';
import { useRestaurantIfAny } from '../lib/target';
import { collectTyped } from '../lib/typeAhead';
import { useNotify } from '../lib/ui/notify';
import type { RestaurantSelect } from './RestaurantSelect';

/** The code of the list once it is there; it stays when another restaurant is opened. */
let List: typeof RestaurantSelect | undefined;

/**
 * The name of the restaurant, and the list of others. Until the pointer or the keyboard comes near, it only
 * looks like one: the code of the list is a tenth of what the first page would load.
 */
export function RestaurantSelector() {
  const { t } = useTranslation();
  const notify = useNotify();
  const current = useRestaurantIfAny();
  const only = useOnlyRestaurant();
  const button = useRef<HTMLButtonElement>(null);
  const [list, setList] = useState(List && { near: false, focused: false });
  const [opening, setOpening] = useState(false);

  const load = async () => {
    List ??= (await import('./RestaurantSelect')).RestaurantSelect;
    setList({ near: true, focused: document.activeElement === button.current });
  };
  const prepare = () => void load().catch(() => undefined);
  const open = () => {
    setOpening(true);
    load().catch((error: unknown) => {
      setOpening(false);
      notify.problem(error);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const letter = [...event.key].length === 1 && event.key !== ' ';
    if (!letter && event.key !== 'ArrowDown') return;
    event.preventDefault();
    if (letter) collectTyped(event.key);
    open();
  };

  if (current && only)
    return (
      <span className="bar-restaurant">
        <ShopOutlined aria-hidden /> <span>{current.name}</span>
      </span>
    );
  if (List && list) return <List opened={opening} near={list.near} focused={opening || list.focused} />;
  const Arrow = opening ? LoadingOutlined : DownOutlined;
  return (
    <button
      ref={button}
      type="button"
      role="combobox"
      aria-label={t('shell.restaurant')}
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-busy={opening}
      className="bar-select bar-select-closed"
      onPointerEnter={prepare}
      onFocus={prepare}
      // By the time of a click the list may stand here; a key's click has no count.
      onMouseDown={open}
      onClick={(event) => event.detail === 0 && open()}
      onKeyDown={onKeyDown}
    >
      <ShopOutlined aria-hidden />
      <span className={current ? undefined : 'bar-select-empty'}>
        {current?.name ?? t('shell.open_restaurant')}
      </span>
      <Arrow aria-hidden className="bar-select-arrow" />
    </button>
  );
}
