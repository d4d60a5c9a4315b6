import { Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { type DeliveryRegion, NoRegion } from '../../../generated/model';
import { useNotify } from '../../../lib/ui/notify';
import { useAllRegions } from './MethodNotice';

interface Question {
  id: string;
  title: string;
  effect?: string;
  verb: string;
}

/**
 * The question before a region goes. Of the last active one it also asks what holds then; without an answer the
 * region stays.
 */
export function useNoRegion() {
  const { t } = useTranslation();
  const notify = useNotify();
  const active = useAllRegions().filter((region) => region.active);
  const isLast = (id: string) => active.length === 1 && active[0]!.id === id;
  const ask = async ({
    id,
    title,
    effect,
    verb,
  }: Question): Promise<{ no_region?: NoRegion } | undefined> => {
    if (!isLast(id)) return (await notify.confirm({ title, effect, verb })) ? {} : undefined;
    let no_region: NoRegion = NoRegion.nowhere;
    const sure = await notify.confirm({
      title,
      verb,
      effect: (
        <>
          {effect && <p>{effect}</p>}
          <p id="no-region">{t('delivery_regions.no_region_ask')}</p>
          <Radio.Group
            aria-labelledby="no-region"
            className="dr-no-region"
            defaultValue={no_region}
            options={Object.values(NoRegion).map((value) => ({
              value,
              label: t(`delivery_regions.no_region.${value}`),
            }))}
            onChange={(event) => {
              no_region = event.target.value as NoRegion;
            }}
          />
        </>
      ),
    });
    return sure ? { no_region } : undefined;
  };
  return { isLast, ask };
}

/** What is asked before a region is switched on or off: of the last active one what holds then. */
export function useSwitchOff() {
  const { t } = useTranslation();
  const { isLast, ask } = useNoRegion();
  return ({ id, name }: Pick<DeliveryRegion, 'id' | 'name'>) =>
    async (active: boolean) =>
      active || !isLast(id)
        ? {}
        : ask({
            id,
            title: t('delivery_regions.switch_off_last', { name }),
            verb: t('delivery_regions.switch_off'),
          });
}
