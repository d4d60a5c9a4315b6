import { AimOutlined, DeleteOutlined } from '@ant-design/icons';
import { Alert, Form, type FormInstance } from 'antd';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { geocodeSearch } from '../../generated/client/restaurants/restaurants';
import { here } from '../../lib/target';
import type { GeocodedPlace } from '../../generated/model';
import { explain } from '../../lib/problem';
import { Button } from '../../lib/ui/Button';
import { Loading } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { later } from '../../lib/later';
import type { Coordinates } from './PinMap';
import './place.css';

// Leaflet is large, and only this screen has a map.
const PinMap = later(() => import('./PinMap'));

interface Props {
  form: FormInstance;
  /** The form's own handler of changes: what is set here is an edit like any other. */
  changed: (values: object) => void;
  disabled: boolean;
}

const number = (value: unknown): number | undefined =>
  value === null || value === undefined || value === '' || Number.isNaN(Number(value))
    ? undefined
    : Number(value);

/**
 * Finds the address and shows the pin. The pin can also be dragged, put down by a click, and typed as two
 * numbers.
 */
export function PlaceOnMap({ form, changed, disabled }: Props) {
  const { t } = useTranslation();
  const lat = number(Form.useWatch('coord_lat', form));
  const lng = number(Form.useWatch('coord_lng', form));
  const [found, setFound] = useState<GeocodedPlace[]>();
  const { busy: searching, error: failed, work } = useInlineWork();
  const pin = lat !== undefined && lng !== undefined ? { lat, lng } : undefined;

  const put = (place: Coordinates | undefined) => {
    const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
    const values = {
      coord_lat: place ? round(place.lat) : null,
      coord_lng: place ? round(place.lng) : null,
    };
    form.setFieldsValue(values);
    changed(values);
  };
  const search = async () => {
    const { postcode, city, street, premise_number } = form.getFieldsValue(true) as Record<
      string,
      string | null
    >;
    const words = `${postcode ?? ''} ${city ?? ''}, ${street ?? ''} ${premise_number ?? ''}`.trim();
    await work(async () => {
      const data = await geocodeSearch(...here(), { q: words });
      setFound(data);
      if (data.length === 1) put({ lat: data[0]!.coord_lat, lng: data[0]!.coord_lng });
    });
  };

  return (
    <div className="place">
      <div className="place-buttons">
        <Button icon={<AimOutlined />} loading={searching} disabled={disabled} onClick={() => void search()}>
          {t('place.search')}
        </Button>
        {pin && (
          <Button type="text" icon={<DeleteOutlined />} disabled={disabled} onClick={() => put(undefined)}>
            {t('place.remove')}
          </Button>
        )}
      </div>
      {failed !== undefined && <Alert type="warning" showIcon role="alert" title={explain(failed).text} />}
      <div role="status">
        {found?.length === 0 && <Alert type="info" showIcon title={t('place.nothing')} />}
        {found?.length === 1 && <p className="place-label">{t('place.found', { place: found[0]!.label })}</p>}
      </div>
      {found && found.length > 1 && (
        <ul className="place-list" aria-label={t('place.choose')}>
          {found.map((place) => (
            <li key={`${place.coord_lat},${place.coord_lng},${place.label}`}>
              <Button
                type="text"
                disabled={disabled}
                onClick={() => put({ lat: place.coord_lat, lng: place.coord_lng })}
              >
                {place.label}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Suspense
        fallback={
          <div className="place-loading">
            <Loading rows={4} />
          </div>
        }
      >
        <PinMap pin={pin} disabled={disabled} onMove={put} />
      </Suspense>
    </div>
  );
}
