import { useRestaurant } from '../../../lib/target';
import { useTranslation } from 'react-i18next';
import { installShapeColours } from '../../../lib/theme/shapes';
import { Card, PageHeader } from '../../../lib/ui/page';
import { QueryFallback } from '../../../lib/ui/states';
import { ViewSwitch } from '../ViewSwitch';
import { useRegions, useShapes } from './api';
import { MapEditor } from './MapEditor';

installShapeColours();

/** All shapes of all regions on one map; saved together. */
export default function MapPage() {
  const { t } = useTranslation();
  const { coord_lat: lat, coord_lng: lng } = useRestaurant();
  const shapes = useShapes();
  const regions = useRegions();
  const pin =
    lat === null || lat === undefined || lng === null || lng === undefined ? undefined : { lat, lng };
  return (
    <>
      <PageHeader lead={t('region_map.lead')} actions={<ViewSwitch value="map" />} />
      {shapes.data && regions.data ? (
        <MapEditor loaded={shapes.data} regions={regions.data} pin={pin} />
      ) : (
        <Card>
          <QueryFallback query={shapes.isError ? shapes : regions} rows={8} />
        </Card>
      )}
    </>
  );
}
