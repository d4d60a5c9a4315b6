import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../../generated/model';
import { later } from '../../../lib/later';
import { Loading } from '../../../lib/ui/states';
import { askAt, queryOf } from '../shared/asked';
import { newShape, type Shapes } from './draft';
import type { Tool } from './DrawTool';
import type { Point } from './geometry';
import { MapToolbar } from './MapToolbar';
import { colourOf } from './RegionPanel';
import type { DrawnShape } from './ShapeLayers';
import type { AskProps, PartProps } from './stage';
import type { useFiles } from './useFiles';

// Map and drawing tools are large; the list of shapes works without them.
const MapCanvas = later(() => import('./MapCanvas'));

interface DrawingProps extends PartProps, AskProps {
  pin: Point | undefined;
  orders: readonly Point[];
  files: ReturnType<typeof useFiles>;
  onUndo: () => void;
}

/** The map with its buttons. */
export function MapDrawing(props: DrawingProps) {
  const { regions, draft, stage, asked, onAsked, pin, orders, files } = props;
  const [crossing, setCrossing] = useState(false);
  const locked = draft.saving;
  const drawn = useDrawn(draft.shapes, regions);
  const question = stage.tab === 'check' ? queryOf(asked) : undefined;
  const tool: Tool | undefined = stage.tool ?? (stage.tab === 'check' ? 'point' : undefined);
  return (
    <div className="dr-stage">
      <MapToolbar
        tool={stage.tool}
        locked={locked}
        crossing={crossing}
        mayUndo={draft.mayUndo || stage.back !== undefined}
        empty={draft.shapes.length === 0}
        onTool={stage.setTool}
        onPoints={() => stage.setOver({ what: 'shape', region: stage.region ?? null })}
        onUndo={props.onUndo}
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
          onCrossing={setCrossing}
          onBack={stage.setBack}
        />
      </Suspense>
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
