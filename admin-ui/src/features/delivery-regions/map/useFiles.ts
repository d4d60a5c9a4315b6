import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../../generated/model';
import { save } from '../../../lib/download';
import { useNotify } from '../../../lib/ui/notify';
import { newShape, type Shapes } from './draft';
import { LARGEST_FILE, plainName, type ReadFile, readGeoJson, writeGeoJson } from './geojson';

/** The id of the region with this name. */
export function regionNamed(
  regions: readonly DeliveryRegion[],
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const wanted = plainName(name);
  return regions.find((one) => [one.name, one.name_sec_lang].some((own) => own && plainName(own) === wanted))
    ?.id;
}

/** GeoJSON in and out. A file is looked at before anything of it stands on the map. */
export function useFiles(
  regions: readonly DeliveryRegion[],
  shapes: Shapes,
  onTake: (shapes: Shapes) => void,
) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [file, setFile] = useState<{ name: string; read: ReadFile }>();
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    const read = chosen.size <= LARGEST_FILE ? readGeoJson(await chosen.text()) : undefined;
    if (read) setFile({ name: chosen.name, read });
    else notify.info(t(chosen.size > LARGEST_FILE ? 'region_map.file_large' : 'region_map.file_none'));
  };
  return {
    file,
    close: () => setFile(undefined),
    /** How many shapes of the file name no region that is there. */
    unknown: file?.read.shapes.filter(({ region }) => regionNamed(regions, region) === undefined).length ?? 0,
    put: (fallback: string | null) => {
      onTake(
        file!.read.shapes.map(({ geometry, region }) =>
          newShape(geometry, regionNamed(regions, region) ?? fallback),
        ),
      );
      setFile(undefined);
    },
    upload: () => {
      const input = document.createElement('input');
      input.type = 'file';
      input.accept = '.geojson,.json,application/geo+json';
      input.onchange = () => void take(input.files?.[0]);
      input.click();
    },
    download: () => {
      const nameOf = (id: string | null) => regions.find((region) => region.id === id)?.name ?? null;
      save(
        t('region_map.file_name'),
        new Blob([writeGeoJson(shapes, nameOf)], { type: 'application/geo+json' }),
      );
    },
  };
}
