import { CheckOutlined, SearchOutlined, WarningOutlined } from '@ant-design/icons';
import { Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deliveryRegionsCheck } from '../../../generated/client/restaurants/restaurants';
import type { DeliveryCheck, DeliveryMatch } from '../../../generated/model';
import { useFormat } from '../../../lib/format';
import { here } from '../../../lib/target';
import { Button } from '../../../lib/ui/Button';
import { Chip, Facts } from '../../../lib/ui/page';
import { ProblemAlert } from '../../../lib/ui/states';
import { useInlineWork } from '../../../lib/ui/work';
import { type Asked, queryOf } from './asked';
import { useHasShapes } from './MethodNotice';
import { RegionPrice } from './RegionPrice';

interface Props {
  asked: Asked;
  onChange: (asked: Asked) => void;
  /** Said below the coordinates, where they can be taken from a map. */
  hint?: string;
}

/** Which region delivers to an address or a point, for how much, and why that one. */
export function AddressCheck({ asked, onChange, hint }: Props) {
  const { t } = useTranslation();
  const [result, setResult] = useState<DeliveryCheck>();
  const { busy, error, work } = useInlineWork();
  const query = queryOf(asked);
  const set = (change: Partial<Asked>) => {
    setResult(undefined);
    onChange({ ...asked, ...change });
  };
  const run = async () => {
    if (!query || busy) return;
    setResult(undefined);
    await work(async () => setResult(await deliveryRegionsCheck(...here(), query)));
  };
  return (
    <form
      className="dr-check"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <Radio.Group
        aria-label={t('region_check.by')}
        optionType="button"
        value={asked.by}
        onChange={(event) => set({ by: event.target.value as Asked['by'] })}
        options={[
          { value: 'address', label: t('region_check.by_address') },
          { value: 'point', label: t('region_check.by_point') },
        ]}
      />
      {asked.by === 'address' ? (
        <>
          <div className="field-line">
            <TextField name="postcode" asked={asked} set={set} />
            <TextField name="city" asked={asked} set={set} />
          </div>
          <TextField name="street" asked={asked} set={set} />
        </>
      ) : (
        <>
          <div className="field-line">
            <TextField name="lat" asked={asked} set={set} />
            <TextField name="lng" asked={asked} set={set} />
          </div>
          {hint && <p className="edit-help">{hint}</p>}
        </>
      )}
      <div>
        <Button
          type="primary"
          htmlType="submit"
          icon={<SearchOutlined />}
          loading={busy}
          disabled={query === undefined}
        >
          {t('region_check.run')}
        </Button>
      </div>
      <div role="status">
        {error !== undefined && <ProblemAlert error={error} />}
        {result && <Outcome result={result} byPoint={asked.by === 'point'} />}
      </div>
    </form>
  );
}

function TextField({
  name,
  asked,
  set,
}: {
  name: Exclude<keyof Asked, 'by'>;
  asked: Asked;
  set: (change: Partial<Asked>) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="edit-field">
      <label className="edit-label" htmlFor={id}>
        {t(`region_check.${name}`)}
      </label>
      <Input
        id={id}
        autoComplete="off"
        maxLength={name === 'postcode' ? 20 : 100}
        inputMode={name === 'lat' || name === 'lng' ? 'decimal' : 'text'}
        value={asked[name]}
        onChange={(event) => set({ [name]: event.target.value })}
      />
    </div>
  );
}

/** Metres as people say them. */
function useDistance(): (metres: number) => string {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (metres) =>
    metres < 1000
      ? t('region_check.metres', { number: number(Math.round(metres)) })
      : t('region_check.kilometres', { number: number(metres / 1000, 1) });
}

/** Why no shape decided, where there are some; the key of its text. */
function idleOf({ method, winner, geocoded }: DeliveryCheck, byPoint: boolean): string | undefined {
  if (method === 'street_based') return 'region_check.shapes_idle';
  if (byPoint || geocoded) return undefined;
  if (winner) return winner.by === 'street' ? 'region_check.shapes_after' : undefined;
  return 'region_check.shapes_no_place';
}

function Outcome({ result, byPoint }: { result: DeliveryCheck; byPoint: boolean }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const distance = useDistance();
  const { winner, nearest, matches = [] } = result;
  const idle = idleOf(result, byPoint);
  const shapes = useHasShapes();
  return (
    <section className="dr-outcome" aria-label={t('region_check.result')}>
      {winner ? (
        <>
          <h3>
            <Chip tone="success" icon={<CheckOutlined aria-hidden />}>
              {t('region_check.delivers')}
            </Chip>{' '}
            {winner.name}
          </h3>
          <Facts
            rows={[
              [t('region_check.price'), <RegionPrice key="price" {...winner} />],
              [t('region_check.minimum'), <span key="minimum">{money(winner.min_order_price)}</span>],
              [t('region_check.threshold'), <span key="threshold">{money(winner.threshold_price)}</span>],
              [t('region_check.found_by'), winner.street ?? t(`region_check.found_by_${winner.by}`)],
            ]}
          />
        </>
      ) : !result.reason ? (
        <p>{t('region_check.everywhere')}</p>
      ) : (
        <>
          <h3>
            <Chip tone="warning" icon={<WarningOutlined aria-hidden />}>
              {t('region_check.no_delivery')}
            </Chip>
          </h3>
          {!(byPoint && idle) && (
            <p>
              {t(`region_check.reason_${result.reason}`)} {result.geocoded && t('region_check.geocoded')}
            </p>
          )}
          {nearest && (
            <p>{t('region_check.nearest', { name: nearest.name, distance: distance(nearest.distance_m) })}</p>
          )}
        </>
      )}
      {idle && (shapes || byPoint) && (winner || result.reason) && <p>{t(idle)}</p>}
      {matches.length > 0 && <Matches matches={matches} />}
    </section>
  );
}

/** All regions in which the place lies, the one that delivers first. */
function Matches({ matches }: { matches: readonly DeliveryMatch[] }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  return (
    <>
      <h4>{t('region_check.matches')}</h4>
      <ol className="dr-matches">
        {matches.map((match, index) => (
          <li key={`${match.delivery_region_id} ${match.street_id ?? index}`}>
            <span>
              <b>{match.name}</b> {match.street && <span className="edit-help">{match.street}</span>}
            </span>
            <span className="num">{money(match.price)}</span>
            <span className="dr-why">{t(`region_check.why_${match.why}`)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
