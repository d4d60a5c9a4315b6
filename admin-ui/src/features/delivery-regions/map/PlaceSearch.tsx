import { CompassOutlined, SearchOutlined } from '@ant-design/icons';
import { Alert, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { geocodeSearch } from '../../../generated/client/restaurants/restaurants';
import type { GeocodedPlace } from '../../../generated/model';
import { explain } from '../../../lib/problem';
import { here } from '../../../lib/target';
import { Button } from '../../../lib/ui/Button';
import { useInlineWork } from '../../../lib/ui/work';
import type { Geometry, Point } from './geometry';
import { outlineOf } from './outline';

interface Props {
  locked: boolean;
  /** Shows the place on the map. */
  onShow: (at: Point) => void;
  /** Makes its outline a region. */
  onTake: (shapes: readonly Geometry[], name: string) => void;
}

/** The shortest text that is searched for. */
const SHORTEST = 3;

/** Finds a place by name; its outline can become a region. */
export function PlaceSearch(props: Props) {
  const { onShow } = props;
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [found, setFound] = useState<GeocodedPlace[]>();
  const [noted, setNoted] = useState(true);
  const { busy, error, work } = useInlineWork();
  const search = async () => {
    if (busy || text.trim().length < SHORTEST) return;
    setFound(undefined);
    setNoted(true);
    await work(async () => {
      const places = await geocodeSearch(...here(), { q: text.trim(), outline: true });
      setFound(places);
      const [first] = places;
      if (first) onShow({ lat: first.coord_lat, lng: first.coord_lng });
    });
  };
  const none = found?.every((place) => outlineOf(place) === undefined);
  return (
    <div className="dr-place">
      <form
        className="dr-search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <Input
          prefix={<CompassOutlined aria-hidden />}
          aria-label={t('region_map.place_search')}
          placeholder={t('region_map.place_search')}
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          htmlType="submit"
          icon={<SearchOutlined />}
          loading={busy}
          disabled={text.trim().length < SHORTEST}
        >
          {t('region_map.place_find')}
        </Button>
      </form>
      {error !== undefined && <Alert type="warning" showIcon role="alert" title={explain(error).text} />}
      <div role="status">
        {none && noted && (
          <Alert
            type="info"
            showIcon
            closable={{ onClose: () => setNoted(false), 'aria-label': t('action.close') }}
            title={t(found?.length === 0 ? 'region_map.place_none' : 'region_map.address_not_found')}
          />
        )}
      </div>
      {found && found.length > 0 && <Found places={found} {...props} />}
    </div>
  );
}

function Found({ places, locked, onShow, onTake }: Props & { places: readonly GeocodedPlace[] }) {
  const { t } = useTranslation();
  const outlined = places.map((place) => ({ place, outline: outlineOf(place) }));
  return (
    <ul className="dr-found" aria-label={t('region_map.places')}>
      {outlined.map(({ place, outline }) => (
        <li key={`${place.coord_lat},${place.coord_lng},${place.label}`}>
          <span>{place.label}</span>
          <Button size="small" onClick={() => onShow({ lat: place.coord_lat, lng: place.coord_lng })}>
            {t('region_map.place_show')}
          </Button>
          {outline && (
            <Button
              size="small"
              type="primary"
              disabled={locked}
              onClick={() => onTake(outline, place.label.split(',')[0]!.trim())}
            >
              {t('region_map.place_take')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
