import { useTranslation } from 'react-i18next';
import { SupportForm } from './SupportForm';
import { Dialog } from '../ui/Dialog';
import '../crud/form.css';

interface Props {
  partner: { id: string; name: string };
  initial?: { reason: string; writable: boolean } | undefined;
  onDone: () => void;
  onClose: () => void;
}

/** Asks for a reason before a partner's data open. */
export default function SupportDialog({ partner, initial, onDone, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('support.title', { partner: partner.name })}
      footer={null}
      onCancel={onClose}
      destroyOnHidden
    >
      <SupportForm partnerId={partner.id} initial={initial} onDone={onDone} onCancel={onClose} />
    </Dialog>
  );
}
