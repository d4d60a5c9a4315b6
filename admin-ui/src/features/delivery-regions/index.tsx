import { Suspense, useEffect } from 'react';
import { isWord } from '../../lib/features';
import { later } from '../../lib/later';
import { usePage } from '../../lib/navigation';
import { whenIdle } from '../../lib/reach';
import { useRestaurant } from '../../lib/target';
import { Loading } from '../../lib/ui/states';
import { RegionList } from './RegionList';
import './regions.css';

// The list stands first; the map with its drawing tools is large.
const loadMap = () => import('./map/MapPage');
const MapPage = later(loadMap);
const Streets = later(() => import('./streets/Streets'));

/**
 * Where the restaurant delivers. `/list` has the regions, with `/list/{id}` in a drawer; `/{id}` the streets of a
 * region; `/map` their shapes. A restaurant that delivers by coordinates begins with the map.
 */
export default function DeliveryRegions() {
  const { path } = usePage();
  const byMap = useRestaurant().delivery_method === 'gps_based';
  const [first, second] = path;
  useEffect(() => {
    if (byMap) whenIdle(() => void loadMap().catch(() => undefined));
  }, [byMap]);
  if (isWord('map', first) || (first === undefined && byMap))
    return (
      <Suspense fallback={<Loading rows={8} />}>
        <MapPage />
      </Suspense>
    );
  if (first === undefined || isWord('list', first)) return <RegionList id={second} />;
  return (
    <Suspense fallback={<Loading rows={8} />}>
      <Streets key={first} region={first} />
    </Suspense>
  );
}
