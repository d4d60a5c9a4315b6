import { useQueryClient } from '@tanstack/react-query';
import {
  deliveryPolygonsList,
  deliveryPolygonsSave,
  deliveryRegionsList,
  deliveryRegionsOrdersMap,
} from '../../../generated/client/restaurants/restaurants';
import type { DeliveryPolygon, DeliveryPolygonData, SavedDeliveryPolygon } from '../../../generated/model';
import { readKey, useForget, useRead } from '../../../lib/query';
import { here } from '../../../lib/target';
import type { MapChange, Shape, Shapes } from './draft';
import { type Geometry, rounded } from './geometry';
import type { Period } from './period';

const SHAPES = readKey('deliveryPolygonsList');

export function geometryOf({ polygon_type, polygon_data }: DeliveryPolygon): Geometry {
  if (Array.isArray(polygon_data)) return { kind: 'polygon', points: polygon_data.map(rounded) };
  const { points, center_lat, center_lng, radius } = polygon_data;
  return polygon_type === 'circle'
    ? {
        kind: 'circle',
        center: rounded({ lat: center_lat ?? 0, lng: center_lng ?? 0 }),
        radius: radius ?? 0,
      }
    : { kind: 'polygon', points: (points ?? []).map(rounded) };
}

const shapeOf = (row: DeliveryPolygon): Shape => ({
  key: row.id,
  id: row.id,
  version: row.version,
  region: row.delivery_region_id,
  geometry: geometryOf(row),
});

const dataOf = (geometry: Geometry): DeliveryPolygonData =>
  geometry.kind === 'circle'
    ? { center_lat: geometry.center.lat, center_lng: geometry.center.lng, radius: geometry.radius }
    : geometry.points.map(({ lat, lng }) => ({ lat, lng }));

/** As the service takes it. Every shape has a region: the map is not saved before. */
const savedOf = ({ id, version, region, geometry }: Shape): SavedDeliveryPolygon => ({
  ...(id === undefined ? {} : { id }),
  ...(version === undefined ? {} : { version }),
  delivery_region_id: region!,
  polygon_type: geometry.kind,
  polygon_data: dataOf(geometry),
});

/** All shapes of the restaurant. */
export function useShapes() {
  return useRead(SHAPES, async (): Promise<Shapes> => (await deliveryPolygonsList(...here())).map(shapeOf));
}

export const readShapes = async (): Promise<Shapes> => (await deliveryPolygonsList(...here())).map(shapeOf);

/** Saves the whole map at once; what the service has then. */
export function useSaveMap() {
  const client = useQueryClient();
  const forget = useForget();
  return async ({ save, remove }: MapChange): Promise<Shapes> => {
    const rows = await deliveryPolygonsSave(...here(), { save: save.map(savedOf), delete: remove });
    const shapes = rows.map(shapeOf);
    client.setQueryData(SHAPES, shapes);
    void forget(['deliveryRegionsList', 'deliveryRegionsGet']);
    return shapes;
  };
}

const REGIONS = readKey('deliveryRegionsList');

/** All regions with their prices, by name. */
export const useRegions = () => useRead(REGIONS, () => deliveryRegionsList(...here()));

export function useReadRegions(): () => Promise<void> {
  const forget = useForget();
  return () => forget([REGIONS]);
}

/** Where orders of a period went; nothing is read before somebody wants to see them. */
export function useOrderPoints(period: Period, wanted: boolean) {
  return useRead(
    readKey('deliveryRegionsOrdersMap', period),
    () => deliveryRegionsOrdersMap(...here(), period),
    {
      enabled: wanted,
      placeholderData: (before) => before,
    },
  );
}
