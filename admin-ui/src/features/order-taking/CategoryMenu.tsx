import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useLocked } from '../../lib/form/fieldState';
import { Button } from '../../lib/ui/Button';
import type { Book, Entry } from './menu';
import { StockNote } from './StockNote';

interface Props {
  book: Book;
  onAdd: (entry: Entry) => void;
}

/** The menu by category: one is open, a click adds. */
export function CategoryMenu({ book: { sections }, onAdd }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const open = sections.find((one) => one.id === chosen) ?? sections[0];
  if (!open) return null;
  return (
    <>
      <div className="taking-categories" role="group" aria-label={t('taking.categories')}>
        {sections.map((section) => (
          <Button
            key={section.id}
            size="small"
            type={section === open ? 'primary' : 'default'}
            aria-pressed={section === open}
            onClick={() => setChosen(section.id)}
          >
            {section.name}
          </Button>
        ))}
      </div>
      <h3 className="sr-only" id={id}>
        {open.name}
      </h3>
      <ul className="taking-tiles" aria-labelledby={id}>
        {open.entries.map((entry) => (
          <li key={entry.id}>
            <Tile entry={entry} onAdd={onAdd} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Tile({ entry, onAdd }: { entry: Entry; onAdd: (entry: Entry) => void }) {
  const { money } = useFormat();
  const locked = useLocked();
  const ready = entry.stock === 'ready';
  return (
    <button
      type="button"
      className="taking-tile"
      disabled={locked}
      aria-disabled={!ready}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.currentTarget.focus();
        if (ready) onAdd(entry);
      }}
    >
      <span className="taking-name">
        <b>{entry.product}</b>
        {entry.size && <span>{entry.size}</span>}
      </span>
      <span className="taking-tile-foot">
        <StockNote entry={entry} />
        <span className="num">{money(entry.price)}</span>
      </span>
    </button>
  );
}
