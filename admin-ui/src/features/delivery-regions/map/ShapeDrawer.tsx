import { Alert, Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../../generated/model';
import { useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { SideDrawer } from '../../../lib/ui/SideDrawer';
import type { Shape } from './draft';
import { faultOf, type Geometry, ring, sameGeometry, type ShapeFault } from './geometry';
import { newRow, placesOf, placeOf, type PointRow, rowOf } from './points';
import { PointsList } from './PointsList';
import { SimplifyChoice } from './SimplifyChoice';
import { RegionSelect } from './RegionSelect';

interface Props {
  /** A new one: none. */
  shape: Shape | undefined;
  region: string | null;
  regions: readonly DeliveryRegion[];
  onApply: (geometry: Geometry, region: string | null) => void;
  onClose: () => void;
}

/** A shape as it is typed. */
interface Typed {
  kind: Geometry['kind'];
  rows: PointRow[];
  lat: string;
  lng: string;
  radius: string;
}

function typedOf(geometry: Geometry | undefined): Typed {
  const empty = { lat: '', lng: '', radius: '' };
  if (geometry?.kind === 'circle') {
    const { center, radius } = geometry;
    return {
      kind: 'circle',
      rows: [newRow(), newRow(), newRow()],
      lat: String(center.lat),
      lng: String(center.lng),
      radius: String(radius),
    };
  }
  return { kind: 'polygon', rows: geometry?.points.map(rowOf) ?? [newRow(), newRow(), newRow()], ...empty };
}

/** The shape that was typed, or what is wrong with it. */
export function geometryOfTyped(typed: Typed): { geometry: Geometry } | { fault: ShapeFault } {
  if (typed.kind === 'circle') {
    const center = placeOf(typed);
    if (!center) return { fault: { what: 'out_of_range' } };
    const metres = typed.radius.replace(/\s/g, '');
    const radius = /^\d+$/.test(metres) ? Number(metres) : Number.NaN;
    const geometry: Geometry = { kind: 'circle', center, radius };
    const fault = faultOf(geometry);
    return fault ? { fault } : { geometry };
  }
  const { points, wrong } = placesOf(typed.rows);
  if (wrong.length > 0) return { fault: { what: 'out_of_range' } };
  const geometry: Geometry = { kind: 'polygon', points: ring(points) };
  const fault = faultOf(geometry);
  return fault ? { fault } : { geometry };
}

/** A shape by its numbers: the way without a pointer, and without a map. */
export default function ShapeDrawer({ shape, region: first, regions, onApply, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [start] = useState(() => typedOf(shape?.geometry));
  const [typed, setTyped] = useState(start);
  const [region, setRegion] = useState(first);
  const [fault, setFault] = useState<ShapeFault>();
  const set = (change: Partial<Typed>) => {
    setFault(undefined);
    setTyped((now) => ({ ...now, ...change }));
  };
  const apply = () => {
    const read = geometryOfTyped(typed);
    if ('fault' in read) return setFault(read.fault);
    return onApply(read.geometry, region);
  };
  const close = async () => {
    const read = geometryOfTyped(typed);
    const same =
      typed === start ||
      (shape !== undefined && 'geometry' in read && sameGeometry(read.geometry, shape.geometry));
    if (same && region === first) return onClose();
    const sure = await notify.confirm({
      title: t('unsaved.title'),
      effect: t('unsaved.text'),
      verb: t('unsaved.discard'),
    });
    return sure ? onClose() : undefined;
  };
  return (
    <SideDrawer
      title={t(shape ? 'region_map.shape_points' : 'region_map.new_by_points')}
      width={560}
      onClose={() => void close()}
      footer={
        <div className="form-buttons">
          <span className="form-buttons-gap" />
          <Button onClick={() => void close()}>{t('action.cancel')}</Button>
          <Button type="primary" onClick={apply}>
            {t('region_map.apply_shape')}
          </Button>
        </div>
      }
    >
      <p className="edit-lead">{t('region_map.points_lead')}</p>
      {fault && <FaultAlert fault={fault} />}
      <RegionSelect regions={regions} value={region} onChange={setRegion} label={t('region_map.region')} />
      {!shape && (
        <Radio.Group
          className="dr-kind"
          aria-label={t('region_map.kind')}
          optionType="button"
          value={typed.kind}
          onChange={(event) => set({ kind: event.target.value as Typed['kind'] })}
          options={[
            { value: 'polygon', label: t('region_map.polygon') },
            { value: 'circle', label: t('region_map.circle') },
          ]}
        />
      )}
      {typed.kind === 'circle' ? (
        <CircleFields typed={typed} set={set} />
      ) : (
        <>
          <SimplifyChoice rows={typed.rows} onChange={(rows) => set({ rows })} />
          <PointsList rows={typed.rows} strict={fault !== undefined} onChange={(rows) => set({ rows })} />
        </>
      )}
    </SideDrawer>
  );
}

function CircleFields({ typed, set }: { typed: Typed; set: (change: Partial<Typed>) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const field = (name: 'lat' | 'lng' | 'radius', label: string, suffix: string) => (
    <div className="edit-field">
      <label className="edit-label" htmlFor={`${id}-${name}`}>
        {label}
      </label>
      <Input
        id={`${id}-${name}`}
        inputMode={name === 'radius' ? 'numeric' : 'decimal'}
        autoComplete="off"
        maxLength={20}
        suffix={suffix}
        value={typed[name]}
        onChange={(event) => set({ [name]: event.target.value })}
      />
    </div>
  );
  return (
    <>
      <div className="field-line">
        {field('lat', t('region_map.center_lat'), '°')}
        {field('lng', t('region_map.center_lng'), '°')}
      </div>
      {field('radius', t('region_map.radius'), 'm')}
    </>
  );
}

/** What is wrong with a shape, with its place. */
export function FaultAlert({ fault }: { fault: ShapeFault }) {
  const { t } = useTranslation();
  const words = usePlaceWords();
  return (
    <Alert
      className="page-alert"
      type="error"
      showIcon
      role="alert"
      title={t(`region_map.fault_${fault.what}`)}
      description={fault.at && t('region_map.at', { place: words(fault.at) })}
    />
  );
}

/** A place in numbers. */
export function usePlaceWords(): (at: { lat: number; lng: number }) => string {
  const { number, language } = useFormat();
  return ({ lat, lng }) => `${number(lat, 6)}${language === 'hu' ? ';' : ','} ${number(lng, 6)}`;
}
