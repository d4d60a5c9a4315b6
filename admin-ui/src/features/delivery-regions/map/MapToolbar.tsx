import {
  BorderOuterOutlined,
  EllipsisOutlined,
  ExpandOutlined,
  PlusOutlined,
  UndoOutlined,
} from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../lib/ui/Button';
import { DropMenu } from '../../../lib/ui/DropMenu';
import type { Tool } from './DrawTool';

interface Props {
  tool: Tool | undefined;
  locked: boolean;
  /** The outline would cross itself. */
  crossing: boolean;
  mayUndo: boolean;
  empty: boolean;
  onTool: (tool: Tool | undefined) => void;
  onPoints: () => void;
  onUndo: () => void;
  onAll: () => void;
  onUpload: () => void;
  onDownload: () => void;
}

/** What can be done with the map. */
export function MapToolbar(props: Props) {
  const { tool, locked, mayUndo, empty, onTool } = props;
  const { t } = useTranslation();
  const drawing = (one: Tool, icon: React.ReactNode) => (
    <Button
      icon={icon}
      aria-pressed={tool === one}
      disabled={locked}
      onClick={() => onTool(tool === one ? undefined : one)}
    >
      {t(`region_map.${one}`)}
    </Button>
  );
  return (
    <>
      <div className="dr-tools" role="toolbar" aria-label={t('region_map.tools')}>
        {drawing('polygon', <BorderOuterOutlined />)}
        {drawing('circle', <CircleIcon />)}
        <Button icon={<PlusOutlined />} disabled={locked} onClick={props.onPoints}>
          {t('region_map.by_points')}
        </Button>
        <Button icon={<UndoOutlined />} disabled={locked || !mayUndo} onClick={props.onUndo}>
          {t('action.undo')}
        </Button>
        <Button icon={<ExpandOutlined />} disabled={empty} onClick={props.onAll}>
          {t('region_map.show_all')}
        </Button>
        <DropMenu
          menu={{
            items: [
              {
                key: 'upload',
                label: t('region_map.upload'),
                disabled: locked,
                onClick: props.onUpload,
              },
              {
                key: 'download',
                label: t('region_map.download'),
                disabled: empty,
                onClick: props.onDownload,
              },
            ],
          }}
        >
          <Button icon={<EllipsisOutlined />}>{t('region_map.file')}</Button>
        </DropMenu>
      </div>
      <p className="dr-tool-help" role="status">
        {props.crossing ? (
          <span className="dr-shape-fault">{t('region_map.crossing')}</span>
        ) : tool === 'polygon' || tool === 'circle' ? (
          t(`region_map.help_${tool}`)
        ) : (
          ''
        )}
      </p>
    </>
  );
}

const CircleIcon = () => (
  <svg viewBox="0 0 16 16" width="1em" height="1em" aria-hidden>
    <circle cx="8" cy="8" r="6.4" fill="none" stroke="currentColor" strokeWidth="1.6" />
  </svg>
);
