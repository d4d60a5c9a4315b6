import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePage } from '../../../lib/navigation';
import { AddressCheck } from '../shared/AddressCheck';
import { useRemoveRegion } from '../useRemoveRegion';
import { useReadRegions } from './api';
import { newShape, type Shape } from './draft';
import type { Geometry } from './geometry';
import { OrdersPanel } from './OrdersPanel';
import { PlaceSearch } from './PlaceSearch';
import { RegionPanel } from './RegionPanel';
import { type AskProps, type PartProps, type Tab, TABS } from './stage';
import type { useOrders } from './useOrders';

/** What stands beside the map: regions with their shapes, orders, and the test of an address. */
export function MapSide(props: PartProps & AskProps & { orders: ReturnType<typeof useOrders> }) {
  const { regions, draft, stage, asked, onAsked, orders } = props;
  const { t } = useTranslation();
  return (
    <div className="card dr-side">
      <PlaceSearch
        locked={draft.saving}
        onShow={(at) => stage.setView({ at })}
        onTake={(shapes, name) => {
          stage.put(
            shapes.map((geometry) => newShape(geometry, stage.region ?? null)),
            name,
          );
          stage.setView({ shapes });
        }}
      />
      <Segmented<Tab>
        block
        aria-label={t('region_map.panel')}
        value={stage.tab}
        onChange={stage.setTab}
        options={TABS.map((value) => ({
          value,
          label: t(`region_map.tab_${value}`),
        }))}
      />
      {stage.tab === 'regions' && <Regions regions={regions} draft={draft} stage={stage} />}
      {stage.tab === 'orders' && <OrdersPanel {...orders.panel} />}
      {stage.tab === 'check' && (
        <AddressCheck
          asked={asked}
          onChange={(next) => onAsked(() => next)}
          hint={t('region_check.click_hint')}
        />
      )}
    </div>
  );
}

/** The regions with their shapes, and what can be done with them. */
function Regions({ regions, draft, stage }: PartProps) {
  const { open } = usePage();
  const read = useReadRegions();
  const show = (geometry: Geometry) => stage.setView({ shapes: [geometry] });
  const remove = useRemoveRegion(async (region) => {
    const own = draft.shapes.filter((shape) => shape.region === region.id).map(({ key }) => key);
    draft.step({ do: 'remove', keys: own });
    await Promise.all([read(), draft.reread()]);
  });
  const find = (key: string): Shape | undefined => draft.shapes.find((shape) => shape.key === key);
  return (
    <RegionPanel
      regions={regions}
      shapes={draft.shapes}
      faults={draft.faults}
      region={stage.region}
      selected={stage.selected}
      locked={draft.saving}
      onRegion={(region) => {
        stage.setRegion(region);
        const own = draft.shapes.filter((shape) => shape.region === region);
        if (region && own.length > 0) stage.setView({ shapes: own.map(({ geometry }) => geometry) });
      }}
      onSelect={(key) => {
        const chosen = stage.selected === key ? undefined : key;
        stage.setSelected(chosen);
        const shape = chosen && find(chosen);
        if (shape) show(shape.geometry);
      }}
      onPoints={(key) => stage.setOver({ what: 'shape', key, region: find(key)?.region ?? null })}
      onRemove={(key) => draft.step({ do: 'remove', keys: [key] })}
      onAssign={(keys, region) => draft.step({ do: 'assign', keys, region })}
      onNew={() => stage.setOver({ what: 'region' })}
      onEdit={(region) => stage.setOver({ what: 'region', id: region.id })}
      onDelete={(region) => void remove(region)}
      onStreets={(region) => void open(region.id, { dropQuery: true })}
      onNewShape={(region) => stage.setOver({ what: 'shape', region: region.id })}
      onChanged={() => void read()}
    />
  );
}
