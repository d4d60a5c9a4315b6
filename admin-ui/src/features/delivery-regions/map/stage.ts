import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { DeliveryRegion } from '../../../generated/model';
import type { Asked } from '../shared/asked';
import { pendingOf, type Shapes } from './draft';
import type { Tool } from './DrawTool';
import type { View } from './mapParts';
import type { MapDraft } from './useMapDraft';

/** What is open over the map. */
type Over =
  | { what: 'region'; id?: string; name?: string; forShapes?: readonly string[] }
  | { what: 'shape'; key?: string; region: string | null }
  | { what: 'choose'; keys: readonly string[]; name?: string | undefined };

export const TABS = ['regions', 'orders', 'check'] as const;
export type Tab = (typeof TABS)[number];

/** What stands beside the map, in the address. */
function useTab(): [Tab, (tab: Tab) => void] {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((one) => one === params.get('panel')) ?? 'regions';
  const setTab = (next: Tab) =>
    setParams(
      (old) => {
        const wanted = new URLSearchParams(old);
        if (next === 'regions') wanted.delete('panel');
        else wanted.set('panel', next);
        return wanted;
      },
      { replace: true },
    );
  return [tab, setTab];
}

/** What is chosen and open; nothing of it is saved. */
export function useStage(draft: MapDraft) {
  const [tab, setTab] = useTab();
  const [region, setRegion] = useState<string>();
  const [selected, setSelected] = useState<string>();
  const [tool, setTool] = useState<Tool>();
  const [over, setOver] = useState<Over>();
  // The map begins with all that is on it.
  const [view, setView] = useState<View | undefined>(() =>
    draft.shapes.length > 0 ? { shapes: draft.shapes.map(({ geometry }) => geometry) } : undefined,
  );
  const [back, hold] = useState<{ run: () => void }>();
  /** Puts shapes on the map; those without a region are asked about. */
  const put = (shapes: Shapes, name?: string) => {
    draft.step({ do: 'add', shapes });
    const pending = pendingOf(shapes).map(({ key }) => key);
    if (shapes.length === 1) setSelected(shapes[0]!.key);
    if (pending.length > 0) setOver({ what: 'choose', keys: pending, name });
  };
  return {
    tab,
    setTab,
    region,
    setRegion,
    selected,
    setSelected,
    tool,
    setTool,
    over,
    setOver,
    view,
    setView,
    /** While a polygon is drawn: takes its last corner back. */
    back: back?.run,
    setBack: (run: (() => void) | undefined) => hold(run && { run }),
    put,
  };
}
export type Stage = ReturnType<typeof useStage>;

/** What the parts of the map's page have in common. */
export interface PartProps {
  regions: readonly DeliveryRegion[];
  draft: MapDraft;
  stage: Stage;
}

export interface AskProps {
  /** The place that is asked about. */
  asked: Asked;
  onAsked: (change: (now: Asked) => Asked) => void;
}
