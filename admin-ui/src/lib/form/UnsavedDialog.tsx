import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';

interface Props {
  saving: boolean;
  /** Whether to leave the page, without what is unsaved. */
  onAnswer: (go: boolean) => void;
  /** Saves and leaves; absent where a form cannot be saved from outside. */
  onSave: (() => Promise<void>) | undefined;
}

/** Asks before a page with unsaved changes is left. */
export default function UnsavedDialog({ saving, onAnswer, onSave }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('unsaved.title')}
      onCancel={() => onAnswer(false)}
      zIndex={1200}
      footer={[
        <Button key="discard" danger disabled={saving} onClick={() => onAnswer(true)}>
          {t('unsaved.discard')}
        </Button>,
        <Button key="stay" autoFocus disabled={saving} onClick={() => onAnswer(false)}>
          {t('unsaved.stay')}
        </Button>,
        onSave && (
          <Button key="save" type="primary" loading={saving} onClick={() => void onSave()}>
            {t('unsaved.save')}
          </Button>
        ),
      ]}
    >
      <p>{t('unsaved.text')}</p>
    </Dialog>
  );
}
