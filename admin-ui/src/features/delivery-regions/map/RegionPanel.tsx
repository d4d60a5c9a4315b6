import {
  AimOutlined,
  DeleteOutlined,
  EditOutlined,
  EllipsisOutlined,
  PlusOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import { Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../../generated/model';
import { ActiveSwitch } from '../../../lib/crud/ActiveSwitch';
import type { Row } from '../../../lib/crud';
import { useFormat } from '../../../lib/format';
import { SHAPE_COLOURS } from '../../../lib/theme/shapes';
import { Button } from '../../../lib/ui/Button';
import { useClear } from '../../../lib/ui/clear';
import { DropMenu } from '../../../lib/ui/DropMenu';
import { useFocusAfterRow } from '../../../lib/ui/focus';
import { Chip } from '../../../lib/ui/page';
import { RegionPrice } from '../shared/RegionPrice';
import { useSwitchOff } from '../shared/useNoRegion';
import { cornersOf, pendingOf, type Shape, type Shapes } from './draft';
import { plainName } from './geojson';
import { RegionSelect } from './RegionSelect';

/** The colour of a region, by its place among them. */
export const colourOf = (regions: readonly { id: string }[], id: string | null): number | undefined => {
  const at = regions.findIndex((region) => region.id === id);
  return at < 0 ? undefined : at % SHAPE_COLOURS;
};

interface Props {
  regions: readonly DeliveryRegion[];
  shapes: Shapes;
  /** Texts by the key of a shape. */
  faults: Readonly<Record<string, string>>;
  /** The region that what is drawn belongs to. */
  region: string | undefined;
  selected: string | undefined;
  locked: boolean;
  onRegion: (region: string | undefined) => void;
  onSelect: (key: string) => void;
  onPoints: (key: string) => void;
  onRemove: (key: string) => void;
  onAssign: (keys: string[], region: string) => void;
  onNew: () => void;
  onEdit: (region: DeliveryRegion) => void;
  onDelete: (region: DeliveryRegion) => void;
  onStreets: (region: DeliveryRegion) => void;
  onNewShape: (region: DeliveryRegion) => void;
  onChanged: () => void;
}

/** All regions with their shapes, and the shapes that have no region yet. */
export function RegionPanel(props: Props) {
  const { regions, shapes, onNew } = props;
  const { t } = useTranslation();
  const { number } = useFormat();
  const [search, setSearch] = useState('');
  const found = regions.filter(({ name }) => plainName(name).includes(plainName(search)));
  const pending = pendingOf(shapes);
  return (
    <>
      <div className="dr-search">
        <Input
          allowClear={useClear()}
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button icon={<PlusOutlined />} onClick={onNew}>
          {t('delivery_regions.new')}
        </Button>
      </div>
      {pending.length > 0 && (
        <section className="dr-pending" aria-label={t('region_map.pending')}>
          <h3>{t('region_map.pending_count', { number: number(pending.length) })}</h3>
          <ul className="dr-shapes">
            {pending.map((shape) => (
              <ShapeRow key={shape.key} shape={shape} of={t('region_map.no_region')} {...props} />
            ))}
          </ul>
          <RegionSelect
            hideLabel
            regions={regions}
            value={null}
            onChange={(region) => {
              if (region)
                props.onAssign(
                  pending.map(({ key }) => key),
                  region,
                );
            }}
            label={t('region_map.pending_assign')}
          />
        </section>
      )}
      {regions.length === 0 && <p className="edit-help">{t('delivery_regions.empty')}</p>}
      {regions.length > 0 && found.length === 0 && <p className="edit-help">{t('state.no_match')}</p>}
      <ul className="dr-regions" aria-label={t('region_map.regions')}>
        {found.map((region) => (
          <RegionItem key={region.id} one={region} {...props} />
        ))}
      </ul>
    </>
  );
}

function RegionItem({ one, ...props }: Props & { one: DeliveryRegion }) {
  const { t } = useTranslation();
  const { regions, shapes, region, onRegion, onChanged } = props;
  const own = shapes.filter((shape) => shape.region === one.id);
  const chosen = region === one.id;
  const item = useFocusAfterRow<HTMLLIElement>();
  const beforeSwitch = useSwitchOff();
  return (
    <li className="dr-region" ref={item} data-chosen={chosen}>
      <div className="dr-region-head">
        <span className={`dr-swatch dr-swatch-${colourOf(regions, one.id)}`} aria-hidden />
        <button
          type="button"
          className="dr-region-name"
          aria-pressed={chosen}
          onClick={() => onRegion(chosen ? undefined : one.id)}
        >
          <b>{one.name}</b>
          {!one.active && <Chip>{t('state.inactive')}</Chip>}
          <RegionPrice {...one} />
        </button>
        <span className="sort-arrows">
          <ActiveSwitch
            resource="delivery_regions"
            row={one as unknown as Row}
            name={one.name}
            before={beforeSwitch(one)}
            onChanged={onChanged}
          />
          <RegionMenu one={one} {...props} />
        </span>
      </div>
      {own.length > 0 && (
        <ul className="dr-shapes">
          {own.map((shape) => (
            <ShapeRow key={shape.key} shape={shape} of={one.name} {...props} />
          ))}
        </ul>
      )}
    </li>
  );
}

function RegionMenu({
  one,
  locked,
  onEdit,
  onDelete,
  onStreets,
  onNewShape,
}: Props & { one: DeliveryRegion }) {
  const { t } = useTranslation();
  return (
    <DropMenu
      menu={{
        items: [
          { key: 'edit', icon: <EditOutlined />, label: t('action.edit'), onClick: () => onEdit(one) },
          {
            key: 'points',
            icon: <PlusOutlined />,
            label: t('region_map.new_by_points'),
            disabled: locked,
            onClick: () => onNewShape(one),
          },
          {
            key: 'streets',
            icon: <UnorderedListOutlined />,
            label: t('delivery_regions.open_streets'),
            onClick: () => onStreets(one),
          },
          { type: 'divider' as const },
          {
            key: 'delete',
            danger: true,
            icon: <DeleteOutlined />,
            label: t('action.delete'),
            onClick: () => onDelete(one),
          },
        ],
      }}
    >
      <Button
        type="text"
        icon={<EllipsisOutlined />}
        aria-label={t('delivery_regions.more_of', { name: one.name })}
      />
    </DropMenu>
  );
}

/** What a shape is called: it has no name. */
export function useShapeWords(): (shape: Shape) => string {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (shape) =>
    shape.geometry.kind === 'circle'
      ? t('region_map.circle_of', { number: number(shape.geometry.radius) })
      : t('region_map.polygon_of', { number: number(cornersOf(shape)) });
}

function ShapeRow({
  shape,
  of,
  faults,
  selected,
  locked,
  onSelect,
  onPoints,
  onRemove,
}: Props & { shape: Shape; of: string }) {
  const { t } = useTranslation();
  const words = useShapeWords();
  const text = words(shape);
  // Several regions have a shape of the same words.
  const name = `${of}, ${text}`;
  const row = useFocusAfterRow<HTMLLIElement>();
  return (
    <li className="dr-shape-row" ref={row} data-chosen={shape.key === selected}>
      <span>{text}</span>
      <span className="sort-arrows">
        <Button
          type="text"
          size="small"
          icon={<AimOutlined />}
          aria-label={t('region_map.select_shape', { name })}
          aria-pressed={shape.key === selected}
          onClick={() => onSelect(shape.key)}
        />
        <Button
          type="text"
          size="small"
          icon={<EditOutlined />}
          aria-label={t('region_map.edit_points', { name })}
          disabled={locked}
          onClick={() => onPoints(shape.key)}
        />
        <Button
          type="text"
          size="small"
          danger
          icon={<DeleteOutlined />}
          aria-label={t('region_map.remove_shape', { name })}
          disabled={locked}
          onClick={() => onRemove(shape.key)}
        />
      </span>
      {faults[shape.key] && (
        <span className="dr-shape-fault" role="alert">
          {faults[shape.key]}
        </span>
      )}
    </li>
  );
}
