import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useLocked } from '../../lib/form/fieldState';
import { Button } from '../../lib/ui/Button';
import { type Book, type Entry, productsOf, type Section } from './menu';
import { StockNote } from './StockNote';
import { usePress } from './usePress';

interface Props {
  book: Book;
  /** `ask`: with its options first. */
  onAdd: (entry: Entry, ask: boolean) => void;
}

/** The menu by main category: one is open, a click adds. */
export function CategoryMenu({ book: { sections }, onAdd }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const mains = new Map(sections.map(({ main, mainName }) => [main, mainName]));
  const open = chosen !== undefined && mains.has(chosen) ? chosen : sections[0]?.main;
  const asking = sections.some(
    ({ main, entries }) => main === open && entries.some(({ groups }) => groups.length > 0),
  );
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
      {asking && <p className="taking-hint">{t('taking.ask_hint')}</p>}
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
        {productsOf(section).map((sizes) => (
          <li key={sizes[0]!.product_id}>
            {sizes.length === 1 ? (
              <Tile entry={sizes[0]!} onAdd={onAdd} />
            ) : (
              <SizedTile sizes={sizes} onAdd={onAdd} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A product with its sizes as buttons. */
function SizedTile({ sizes, onAdd }: { sizes: readonly Entry[] } & Pick<Props, 'onAdd'>) {
  return (
    <div className="taking-tile taking-sized">
      <b className="taking-name">{sizes[0]!.product}</b>
      <div className="taking-sizes">
        {sizes.map((entry) => (
          <AddButton key={entry.id} entry={entry} onAdd={onAdd} className="taking-size">
            <span>
              <span className="sr-only">{entry.product}, </span>
              {entry.size ?? entry.product}
            </span>{' '}
            <Foot entry={entry} />
          </AddButton>
        ))}
      </div>
    </div>
  );
}

function Tile({ entry, onAdd }: { entry: Entry } & Pick<Props, 'onAdd'>) {
  return (
    <AddButton entry={entry} onAdd={onAdd} className="taking-tile">
      <span className="taking-name">
        <b>{entry.product}</b> {entry.size && <span>{entry.size}</span>}
      </span>{' '}
      <Foot entry={entry} />
    </AddButton>
  );
}

/** What is left of it, and its price. */
function Foot({ entry }: { entry: Entry }) {
  const { money } = useFormat();
  return (
    <span className="taking-tile-foot">
      <StockNote entry={entry} />
      <span className="num">{money(entry.price)}</span>
    </span>
  );
}

interface AddButtonProps extends Pick<Props, 'onAdd'> {
  entry: Entry;
  className: string;
  children: ReactNode;
}

function AddButton({ entry, onAdd, className, children }: AddButtonProps) {
  const locked = useLocked();
  const ready = entry.stock === 'ready';
  const press = usePress((ask) => {
    if (ready && !locked) onAdd(entry, ask);
  });
  return (
    <button
      type="button"
      className={className}
      disabled={locked}
      aria-disabled={!ready}
      {...press}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.currentTarget.focus();
        press.onClick(event);
      }}
    >
      {children}
    </button>
  );
}
