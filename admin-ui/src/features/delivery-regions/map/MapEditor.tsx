import { Alert } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../../generated/model';
import { FormAlert } from '../../../lib/form/FormAlert';
import { SaveBar } from '../../../lib/form/SaveBar';
import { FormsBelow } from '../../../lib/form/unsaved';
import { useHotkey } from '../../../lib/hooks';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { ProblemAlert } from '../../../lib/ui/states';
import { NOTHING } from '../shared/asked';
import { MethodNotice } from '../shared/MethodNotice';
import type { Shapes } from './draft';
import { FileDialog } from './FileDialog';
import type { Point } from './geometry';
import { MapDrawing } from './MapDrawing';
import { MapOverlays } from './MapOverlays';
import { MapSide } from './MapSide';
import { FaultAlert } from './ShapeDrawer';
import { useStage } from './stage';
import { useFiles } from './useFiles';
import { type MapDraft, useMapDraft } from './useMapDraft';
import { useOrders } from './useOrders';

interface Props {
  loaded: Shapes;
  regions: readonly DeliveryRegion[];
  pin: Point | undefined;
}

/** The map with what stands beside it, edited and saved as one. */
export function MapEditor({ loaded, regions, pin }: Props) {
  const notify = useNotify();
  const draft = useMapDraft(loaded);
  const stage = useStage(draft);
  const [asked, setAsked] = useState(NOTHING);
  const orders = useOrders(stage.tab === 'orders');
  const files = useFiles(regions, draft.shapes, (shapes) => {
    stage.put(shapes);
    stage.setView({ shapes: shapes.map(({ geometry }) => geometry) });
  });
  const save = async () => {
    if (await draft.save()) notify.saved();
  };
  useHotkey('ctrl+s', () => void save(), draft.dirty && stage.over === undefined);
  const undo = () => {
    if (stage.back) stage.back();
    else draft.step({ do: 'undo' });
  };
  useUndoKey(undo, stage.over === undefined && !draft.saving);
  const below = useMemo(() => [draft.guardId], [draft.guardId]);
  const parts = { regions, draft, stage, asked, onAsked: setAsked };
  return (
    <>
      <Hindrance draft={draft} />
      <MethodNotice />
      <div className="dr-work">
        <MapDrawing {...parts} pin={pin} orders={orders.points} files={files} onUndo={undo} />
        <MapSide {...parts} orders={orders} />
      </div>
      <Bar draft={draft} onSave={() => void save()} />
      {files.file && (
        <FileDialog
          name={files.file.name}
          read={files.file.read}
          unknown={files.unknown}
          regions={regions}
          onTake={files.put}
          onClose={files.close}
        />
      )}
      <FormsBelow value={below}>
        <MapOverlays regions={regions} draft={draft} stage={stage} />
      </FormsBelow>
    </>
  );
}

/** Ctrl+Z takes the last step back, except where somebody types. */
function useUndoKey(undo: () => void, enabled: boolean) {
  useEffect(() => {
    if (!enabled) return;
    const pressed = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement | null)?.closest('input, textarea, [contenteditable]');
      if (typing || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey)
        return;
      event.preventDefault();
      undo();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}

/** Why the map was not saved. */
function Hindrance({ draft }: { draft: MapDraft }) {
  const { t } = useTranslation();
  const { error, errorKeys, hindrance, faultAt, faults } = draft;
  const refused = Object.keys(faults).length > 0;
  return (
    <>
      {hindrance && (
        <Alert className="page-alert" type="warning" showIcon role="alert" title={t(hindrance)} />
      )}
      {refused && <FaultAlert fault={{ what: 'refused', ...(faultAt && { at: faultAt }) }} />}
      {draft.unknown && <FormAlert state={draft} />}
      {error !== undefined && !draft.unknown && (
        <ProblemAlert
          error={error}
          keys={errorKeys}
          onClose={draft.dismissError}
          action={<Button onClick={() => void draft.reread()}>{t('region_map.reread')}</Button>}
        />
      )}
    </>
  );
}

function Bar({ draft, onSave }: { draft: MapDraft; onSave: () => void }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const discard = async () => {
    const sure = await notify.confirm({
      title: t('region_map.discard_ask'),
      effect: t('region_map.discard_effect'),
      verb: t('unsaved.discard'),
    });
    if (sure) draft.step({ do: 'discard' });
  };
  return (
    <SaveBar shown={draft.dirty || draft.saving} dirty={draft.dirty}>
      <Button disabled={draft.saving} onClick={() => void discard()}>
        {t('unsaved.discard')}
      </Button>
      <Button type="primary" loading={draft.saving} onClick={onSave}>
        {t(draft.unknown ? 'action.retry' : 'action.save')}
      </Button>
    </SaveBar>
  );
}
