import { DeleteOutlined, FilePdfOutlined } from '@ant-design/icons';
import { Form, Input, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  documentationsCreate,
  documentationsDelete,
  documentationsGet,
  documentationsUpdate,
} from '../../generated/client/platform/platform';
import type { DocumentationDetails, MessageLanguage } from '../../generated/model';
import { ActionDrawer, useInputForm } from '../../lib/crud';
import { useTextRules } from '../../lib/form/useTextRules';
import { useFormat } from '../../lib/format';
import { UploadButton } from '../../lib/media/UploadButton';
import { readKey, useForget, useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { QueryFallback } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import './documentations.css';

interface Values {
  title: string;
  lang: MessageLanguage;
  file?: File;
}

/** Bytes of a file at most. */
const LARGEST = 20_000_000;

export function DocumentationDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useRead(readKey('documentationsGet', id), () => documentationsGet(id!), {
    enabled: id !== undefined,
    staleTime: 0,
  });
  if (id === undefined) return <Editor row={undefined} onClose={onClose} />;
  if (query.data) return <Editor row={query.data} onClose={onClose} />;
  return (
    <SideDrawer width={560} title={t('state.loading')} onClose={onClose}>
      <QueryFallback query={query} />
    </SideDrawer>
  );
}

interface EditorProps {
  /** None: a new document. */
  row: DocumentationDetails | undefined;
  onClose: () => void;
}

function useDocument({ row, onClose }: EditorProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { work } = useWork();
  const forget = useForget();
  const action = useInputForm<Values, DocumentationDetails>({
    initial: row ? { title: row.title, lang: row.lang } : { title: '', lang: 'hu' },
    send: ({ title, lang, file }, _key, changed) =>
      // A new one is not sent without its file: the form asks for it.
      row
        ? documentationsUpdate(row.id, { ...changed, version: row.version })
        : documentationsCreate({ title, lang, file: file! }),
    onDone: () => {
      notify.saved();
      void forget(['documentationsList']);
      onClose();
    },
  });
  const remove = async () => {
    if (
      !row ||
      !(await notify.confirm({
        title: t('documentations.delete_question', { name: row.title }),
        effect: t('documentations.delete_effect'),
        verb: t('action.delete'),
      }))
    )
      return;
    await work(async () => {
      await documentationsDelete(row.id);
      notify.success(t('state.deleted', { name: row.title }));
      await forget(['documentationsList']);
      onClose();
    });
  };
  return { action, remove };
}

function Editor({ row, onClose }: EditorProps) {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  const { action, remove } = useDocument({ row, onClose });
  return (
    <ActionDrawer
      action={action}
      title={row ? row.title : t('documentations.new')}
      verb={t('action.save')}
      onClose={onClose}
    >
      <Form.Item
        name="title"
        label={t('documentations.title')}
        rules={[filled, max(200)]}
        validateTrigger="onBlur"
      >
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item name="lang" label={t('documentations.lang')}>
        <Radio.Group
          optionType="button"
          options={(['hu', 'en'] as const).map((lang) => ({
            value: lang,
            label: t(`documentations.lang.${lang}`),
          }))}
        />
      </Form.Item>
      <Form.Item
        name="file"
        label={t('documentations.file')}
        extra={t('documentations.file_help')}
        rules={[
          ...(row ? [] : [{ required: true, message: t('form.required') }]),
          {
            validator: async (_, file?: File) => {
              if (file && file.size > LARGEST) throw new Error(t('errors.TOO_LARGE'));
            },
          },
        ]}
      >
        <FileInput now={row?.filename} bytes={row?.bytes} />
      </Form.Item>
      {row && (
        <Button danger type="text" icon={<DeleteOutlined />} onClick={() => void remove()}>
          {t('action.delete')}
        </Button>
      )}
    </ActionDrawer>
  );
}

/** The file that is there, or the one that was chosen. The form hands value and onChange down. */
function FileInput({
  now,
  bytes,
  value,
  onChange,
}: {
  now?: string | undefined;
  bytes?: number | undefined;
  value?: File;
  onChange?: (file: File | undefined) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = value?.name ?? now;
  return (
    <div className="document-file">
      {name && (
        <span className="document-name">
          <FilePdfOutlined aria-hidden /> {name} <small>{format.size(value?.size ?? bytes ?? 0)}</small>
        </span>
      )}
      <UploadButton
        accept="application/pdf,.pdf"
        label={name ? t('documentations.choose_other') : t('documentations.choose')}
        onFiles={([file]) => file && onChange?.(file)}
      />
    </div>
  );
}
