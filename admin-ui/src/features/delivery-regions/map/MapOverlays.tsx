import { later } from '../../../lib/later';
import { useReadRegions } from './api';
import { newShape } from './draft';
import { RegionSelector } from './RegionSelector';
import ShapeDrawer from './ShapeDrawer';
import type { PartProps } from './stage';

const RegionEditor = later(() => import('../RegionEditor'), 'over');

/** Drawers and dialogs over the map. */
export function MapOverlays({ regions, draft, stage }: PartProps) {
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
