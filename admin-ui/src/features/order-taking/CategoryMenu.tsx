import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useLocked } from '../../lib/form/fieldState';
import { Button } from '../../lib/ui/Button';
import type { Book, Entry, Section } from './menu';
import { StockNote } from './StockNote';

interface Props {
  book: Book;
  onAdd: (entry: Entry) => void;
}

/** The menu by main category: one is open, a click adds. */
export function CategoryMenu({ book: { sections }, onAdd }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const mains = new Map(sections.map(({ main, mainName }) => [main, mainName]));
  const open = chosen !== undefined && mains.has(chosen) ? chosen : sections[0]?.main;
  return (
    <>
      <div className="taking-categories" role="group" aria-label={t('taking.categories')}>
        {[...mains].map(([id, name]) => (
          <Button
            key={id}
            size="small"
            type={id === open ? 'primary' : 'default'}
            aria-pressed={id === open}
            onClick={() => setChosen(id)}
          >
            {name}
          </Button>
        ))}
      </div>
      {sections
        .filter(({ main }) => main === open)
        .map((section) => (
          <Tiles key={section.id} section={section} onAdd={onAdd} />
        ))}
    </>
  );
}

function Tiles({ section, onAdd }: { section: Section } & Pick<Props, 'onAdd'>) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={section.id === section.main ? 'sr-only' : 'taking-section'}>
        {section.name}
      </h3>
      <ul className="taking-tiles">
        {section.entries.map((entry) => (
          <li key={entry.id}>
            <Tile entry={entry} onAdd={onAdd} />
          </li>
        ))}
      </ul>
    </section>
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
        <b>{entry.product}</b> {entry.size && <span>{entry.size}</span>}
      </span>{' '}
      <span className="taking-tile-foot">
        <StockNote entry={entry} />
        <span className="num">{money(entry.price)}</span>
      </span>
    </button>
  );
}
