import { useTranslation } from 'react-i18next';
import { Dialog } from '../lib/ui/Dialog';

const LIST: [string[], string][] = [
  [['Ctrl', 'K'], 'shortcut.go_to'],
  [['Ctrl', 'B'], 'shortcut.menu'],
  [['Ctrl', 'S'], 'shortcut.save'],
  [['↑', '↓'], 'shortcut.rows'],
  [['Enter'], 'shortcut.open'],
  [['Alt', '↑ ↓'], 'shortcut.order'],
  [['Esc'], 'shortcut.close'],
  [['?'], 'shortcut.list'],
];

/** The global keyboard shortcuts. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog onCancel={onClose} footer={null} title={t('shell.shortcuts')} width={460}>
      <dl className="shortcuts">
        {LIST.map(([keys, text]) => (
          <div key={text}>
            <dt>{t(text)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
