import { useDelete } from '@refinedev/core';
import { Alert, Segmented } from 'antd';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { DeliveryRegion } from '../../../generated/model';
import { FormAlert } from '../../../lib/form/FormAlert';
import { SaveBar } from '../../../lib/form/SaveBar';
import { FormsBelow } from '../../../lib/form/unsaved';
import { useFormat } from '../../../lib/format';
import { useHotkey } from '../../../lib/hooks';
import { later } from '../../../lib/later';
import { usePage } from '../../../lib/navigation';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { Loading, ProblemAlert } from '../../../lib/ui/states';
import { AddressCheck } from '../shared/AddressCheck';
import { askAt, type Asked, NOTHING, queryOf } from '../shared/asked';
import { useOrderPoints, useReadRegions } from './api';
import { newShape, pendingOf, type Shape, type Shapes } from './draft';
import type { Tool } from './DrawTool';
import { FileDialog } from './FileDialog';
import type { Geometry, Point } from './geometry';
import { MapToolbar } from './MapToolbar';
import type { View } from './mapParts';
import { OrdersPanel } from './OrdersPanel';
import { lastMonth } from './period';
import { PlaceSearch } from './PlaceSearch';
import { colourOf, RegionPanel } from './RegionPanel';
import { RegionSelector } from './RegionSelector';
import ShapeDrawer, { FaultAlert } from './ShapeDrawer';
import type { DrawnShape } from './ShapeLayers';
import { useFiles } from './useFiles';
import { type MapDraft, useMapDraft } from './useMapDraft';

// Map and drawing tools are large; the list of shapes works without them.
const MapCanvas = later(() => import('./MapCanvas'));
const RegionEditor = later(() => import('../RegionEditor'), 'over');

interface Props {
  loaded: Shapes;
  regions: readonly DeliveryRegion[];
  pin: Point | undefined;
}

/** What is open over the map. */
type Over =
  | { what: 'region'; id?: string; name?: string; forShapes?: readonly string[] }
  | { what: 'shape'; key?: string; region: string | null }
  | { what: 'choose'; keys: readonly string[]; name?: string | undefined };

const TABS = ['regions', 'orders', 'check'] as const;
type Tab = (typeof TABS)[number];

/** What stands beside the map, in the address. */
function useTab(): [Tab, (tab: Tab) => void] {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((one) => one === params.get('panel')) ?? 'regions';
  const setTab = (next: Tab) => setParams(next === 'regions' ? {} : { panel: next }, { replace: true });
  return [tab, setTab];
}

/** What is chosen and open; nothing of it is saved. */
function useStage(draft: MapDraft) {
  const [tab, setTab] = useTab();
  const [region, setRegion] = useState<string>();
  const [selected, setSelected] = useState<string>();
  const [tool, setTool] = useState<Tool>();
  const [over, setOver] = useState<Over>();
  const [view, setView] = useState<View>();
  /** Puts shapes on the map; those without a region are asked about. */
  const put = (shapes: Shapes, name?: string) => {
    draft.step({ do: 'add', shapes });
    const pending = pendingOf(shapes).map(({ key }) => key);
    if (shapes.length === 1) setSelected(shapes[0]!.key);
    if (pending.length > 0) setOver({ what: 'choose', keys: pending, name });
  };
  return {
    tab,
    setTab,
    region,
    setRegion,
    selected,
    setSelected,
    tool,
    setTool,
    over,
    setOver,
    view,
    setView,
    put,
  };
}
type Stage = ReturnType<typeof useStage>;

export function MapEditor({ loaded, regions, pin }: Props) {
  const notify = useNotify();
  const draft = useMapDraft(loaded);
  const stage = useStage(draft);
  const [asked, setAsked] = useState(NOTHING);
  const orders = useOrders(stage.tab === 'orders');
  const files = useFiles(regions, draft.shapes, (shapes) => {
    stage.put(shapes);
    stage.setView({ shapes: shapes.map(({ geometry }) => geometry) });
  });
  const save = async () => {
    if (await draft.save()) notify.saved();
  };
  useHotkey('ctrl+s', () => void save(), draft.dirty && stage.over === undefined);
  useUndoKey(() => draft.step({ do: 'undo' }), stage.over === undefined && !draft.saving);
  const below = useMemo(() => [draft.guardId], [draft.guardId]);
  const parts = { regions, draft, stage, asked, onAsked: setAsked };
  return (
    <>
      <Hindrance draft={draft} />
      <div className="dr-work">
        <Drawing {...parts} pin={pin} orders={orders.points} files={files} />
        <Side {...parts} orders={orders} />
      </div>
      <Bar draft={draft} onSave={() => void save()} />
      {files.file && (
        <FileDialog
          name={files.file.name}
          read={files.file.read}
          unknown={files.unknown}
          regions={regions}
          onTake={files.put}
          onClose={files.close}
        />
      )}
      <FormsBelow value={below}>
        <Overlays regions={regions} draft={draft} stage={stage} />
      </FormsBelow>
    </>
  );
}

interface PartProps {
  regions: readonly DeliveryRegion[];
  draft: MapDraft;
  stage: Stage;
}

interface AskProps {
  /** The place that is asked about. */
  asked: Asked;
  onAsked: (change: (now: Asked) => Asked) => void;
}

interface DrawingProps extends PartProps, AskProps {
  pin: Point | undefined;
  orders: readonly Point[];
  files: ReturnType<typeof useFiles>;
}

/** The map with its buttons. */
function Drawing({ regions, draft, stage, asked, onAsked, pin, orders, files }: DrawingProps) {
  const locked = draft.saving;
  const drawn = useDrawn(draft.shapes, regions);
  const question = stage.tab === 'check' ? queryOf(asked) : undefined;
  const tool: Tool | undefined = stage.tool ?? (stage.tab === 'check' ? 'point' : undefined);
  return (
    <div className="dr-stage">
      <MapToolbar
        tool={stage.tool}
        locked={locked}
        mayUndo={draft.mayUndo}
        empty={draft.shapes.length === 0}
        onTool={stage.setTool}
        onPoints={() => stage.setOver({ what: 'shape', region: stage.region ?? null })}
        onUndo={() => draft.step({ do: 'undo' })}
        onAll={() => stage.setView({ shapes: draft.shapes.map(({ geometry }) => geometry) })}
        onUpload={files.upload}
        onDownload={files.download}
      />
      <Suspense
        fallback={
          <div className="dr-map-loading">
            <Loading rows={4} />
          </div>
        }
      >
        <MapCanvas
          pin={pin}
          shapes={drawn}
          selected={stage.selected}
          tool={locked ? undefined : tool}
          locked={locked}
          orders={orders}
          marked={question && 'lat' in question ? question : draft.faultAt}
          view={stage.view}
          onDrawn={(geometry) => stage.put([newShape(geometry, stage.region ?? null)])}
          onToolEnd={() => stage.setTool(undefined)}
          onReshape={(key, geometry) => draft.step({ do: 'reshape', key, geometry })}
          onSelect={stage.setSelected}
          onPoint={(point) => onAsked((now) => askAt(now, point))}
        />
      </Suspense>
    </div>
  );
}

/** What stands beside the map: regions with their shapes, orders, and the test of an address. */
function Side(props: PartProps & AskProps & { orders: ReturnType<typeof useOrders> }) {
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

/** Shapes as the map shows them. */
function useDrawn(shapes: Shapes, regions: readonly DeliveryRegion[]): readonly DrawnShape[] {
  const { t } = useTranslation();
  const none = t('region_map.no_region');
  return useMemo(() => {
    const known = new Map(regions.map((region) => [region.id, region]));
    return shapes.map(({ key, geometry, region }) => ({
      key,
      geometry,
      colour: colourOf(regions, region),
      label: known.get(region ?? '')?.name ?? none,
      active: known.get(region ?? '')?.active ?? true,
    }));
  }, [shapes, regions, none]);
}

const NO_POINTS: readonly Point[] = [];

function useOrders(open: boolean) {
  const { date } = useFormat();
  const [shown, setShown] = useState(true);
  const [period, setPeriod] = useState(() => lastMonth(date(new Date().toISOString()).replaceAll('/', '-')));
  const query = useOrderPoints(period, open && shown);
  const points = useMemo<readonly Point[]>(
    () => (open && shown && query.data ? query.data.map(({ lat, lng }) => ({ lat, lng })) : NO_POINTS),
    [open, shown, query.data],
  );
  return {
    points,
    panel: {
      shown,
      onShow: setShown,
      period,
      onPeriod: setPeriod,
      orders: query.data,
      error: query.error,
    },
  };
}

/** Ctrl+Z takes the last step back, except where somebody types. */
function useUndoKey(undo: () => void, enabled: boolean) {
  useEffect(() => {
    if (!enabled) return;
    const pressed = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement | null)?.closest('input, textarea, [contenteditable]');
      if (typing || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey)
        return;
      event.preventDefault();
      undo();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}

/** Why the map was not saved. */
function Hindrance({ draft }: { draft: MapDraft }) {
  const { t } = useTranslation();
  const { error, errorKeys, hindrance, faultAt, faults } = draft;
  const refused = Object.keys(faults).length > 0;
  return (
    <>
      {hindrance && (
        <Alert className="page-alert" type="warning" showIcon role="alert" title={t(hindrance)} />
      )}
      {refused && <FaultAlert fault={{ what: 'refused', ...(faultAt && { at: faultAt }) }} />}
      {draft.unknown && <FormAlert state={draft} />}
      {error !== undefined && !draft.unknown && (
        <ProblemAlert
          error={error}
          keys={errorKeys}
          onClose={draft.dismissError}
          action={<Button onClick={() => void draft.reread()}>{t('region_map.reread')}</Button>}
        />
      )}
    </>
  );
}

function Bar({ draft, onSave }: { draft: MapDraft; onSave: () => void }) {
  const { t } = useTranslation();
  return (
    <SaveBar shown={draft.dirty || draft.saving} dirty={draft.dirty}>
      <Button disabled={draft.saving} onClick={() => draft.step({ do: 'discard' })}>
        {t('unsaved.discard')}
      </Button>
      <Button type="primary" loading={draft.saving} onClick={onSave}>
        {t(draft.unknown ? 'action.retry' : 'action.save')}
      </Button>
    </SaveBar>
  );
}

function Regions({ regions, draft, stage }: PartProps) {
  const { t } = useTranslation();
  const { open } = usePage();
  const notify = useNotify();
  const read = useReadRegions();
  const { mutateAsync } = useDelete();
  const show = (geometry: Geometry) => stage.setView({ shapes: [geometry] });
  const remove = async (region: DeliveryRegion) => {
    const sure = await notify.confirm({
      title: t('confirm.delete', { name: region.name }),
      effect: t('delivery_regions.delete_effect'),
      verb: t('action.delete'),
    });
    if (!sure) return;
    try {
      await mutateAsync({
        resource: 'delivery_regions',
        id: region.id,
        mutationMode: 'pessimistic',
        successNotification: false,
        errorNotification: false,
      });
      const own = draft.shapes.filter((shape) => shape.region === region.id).map(({ key }) => key);
      draft.step({ do: 'remove', keys: own });
      await Promise.all([read(), draft.reread()]);
      notify.success(t('state.deleted', { name: region.name }));
    } catch (error) {
      notify.problem(error);
    }
  };
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

/** Drawers and dialogs over the map. */
function Overlays({ regions, draft, stage }: PartProps) {
  const read = useReadRegions();
  const { over, setOver } = stage;
  const close = () => setOver(undefined);
  if (!over) return null;
  if (over.what === 'region')
    return (
      <RegionEditor
        id={over.id}
        name={over.name}
        onMap
        onCreated={(region) => {
          if (over.forShapes) draft.step({ do: 'assign', keys: over.forShapes, region: region.id });
          stage.setRegion(region.id);
        }}
        onClose={() => {
          void read();
          close();
        }}
      />
    );
  if (over.what === 'choose')
    return (
      <RegionSelector
        count={over.keys.length}
        regions={regions}
        onChoose={(region) => {
          draft.step({ do: 'assign', keys: over.keys, region });
          close();
        }}
        onNew={() =>
          setOver({ what: 'region', forShapes: over.keys, ...(over.name ? { name: over.name } : {}) })
        }
        onLater={close}
      />
    );
  const shape = draft.shapes.find(({ key }) => key === over.key);
  return (
    <ShapeDrawer
      shape={shape}
      region={over.region}
      regions={regions}
      onClose={close}
      onApply={(geometry, region) => {
        close();
        if (!shape) stage.put([newShape(geometry, region)]);
        else {
          draft.step({ do: 'reshape', key: shape.key, geometry });
          if (region && region !== shape.region) draft.step({ do: 'assign', keys: [shape.key], region });
        }
        stage.setView({ shapes: [geometry] });
      }}
    />
  );
}
