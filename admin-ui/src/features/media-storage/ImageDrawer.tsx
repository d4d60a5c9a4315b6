import { DeleteOutlined } from '@ant-design/icons';
import { Form, Input, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { imagesDelete, imagesGet, imagesUpdate } from '../../generated/client/content/content';
import type { Image, ImageUse } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { HistoryButton } from '../../lib/crud/History';
import { InputForm } from '../../lib/form/InputForm';
import { type InputFormState, useInputForm } from '../../lib/form/useInputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { useFormat } from '../../lib/format';
import { useHotkey } from '../../lib/hooks';
import { UploadButton } from '../../lib/media/UploadButton';
import { usePageUrl } from '../../lib/navigation';
import { readKey, useForget, useRead } from '../../lib/query';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Facts } from '../../lib/ui/page';
import { CopyButton, QueryFallback } from '../../lib/ui/states';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { useWork } from '../../lib/ui/work';

/** One picture: name, whether it is public, and uses; replace, remove. */
export function ImageDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const restaurant = useRestaurant();
  const query = useRead(readKey('imagesGet', id), () => imagesGet(restaurant.partner_id, restaurant.id, id));
  if (query.data)
    return (
      <Loaded
        key={query.data.version}
        image={query.data}
        onClose={onClose}
        refetch={async () => void (await query.refetch())}
      />
    );
  return (
    <SideDrawer title={t('state.loading')} onClose={onClose}>
      <QueryFallback query={query} />
    </SideDrawer>
  );
}

interface Values {
  name: string;
  is_public: boolean;
}

interface LoadedProps {
  image: Image;
  onClose: () => void;
  refetch: () => Promise<void>;
}

/** The form of name and visibility, and what else can be done with the picture. */
function useImage({ image, onClose, refetch }: LoadedProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const restaurant = useRestaurant();
  const forget = useForget();
  const { doing, work } = useWork<'replace' | 'remove'>();
  const at = [restaurant.partner_id, restaurant.id, image.id] as const;
  const listChanged = () => forget(['imagesList']);
  const form = useInputForm<Values, Image>({
    initial: { name: image.name, is_public: image.is_public },
    send: (_values, _key, changed) => imagesUpdate(...at, { ...changed, version: image.version }),
    onDone: () => {
      notify.saved();
      void Promise.all([refetch(), listChanged()]);
    },
  });
  const replace = async ([file]: File[]) => {
    if (!file) return;
    await work(async () => {
      await imagesUpdate(...at, { image: file, version: image.version });
      notify.success(t('images.replaced'));
      await Promise.all([refetch(), listChanged()]);
    }, 'replace');
  };
  const remove = async () => {
    if (
      !(await notify.confirm({
        title: t('images.delete_question', { name: image.name }),
        effect: t('images.delete_effect'),
        verb: t('action.delete'),
      }))
    )
      return;
    await work(async () => {
      try {
        await imagesDelete(...at);
      } catch (error) {
        void refetch();
        throw error;
      }
      await listChanged();
      notify.success(t('state.deleted', { name: image.name }));
      onClose();
    }, 'remove');
  };
  return { form, replacing: doing === 'replace', replace, remove };
}

function Loaded(props: LoadedProps) {
  const { image, onClose } = props;
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  const format = useFormat();
  const may = useCanDo()('images', 'update');
  const { form, replacing, replace, remove } = useImage(props);
  const close = () => void form.ask().then((go) => go && onClose());
  useHotkey('ctrl+s', () => void form.submit(), may);
  return (
    <SideDrawer
      title={image.name}
      extra={<HistoryButton recordId={image.id} name={image.name} />}
      onClose={close}
      footer={<Buttons image={image} form={form} onRemove={() => void remove()} onClose={close} />}
    >
      <a
        className="media-full"
        href={image.image.original}
        target="_blank"
        rel="noreferrer"
        title={t('images.open_original')}
      >
        <img src={image.image.medium} alt={image.name} width={image.width} height={image.height} />
      </a>
      <InputForm state={form} disabled={!may}>
        <Form.Item name="name" label={t('images.name')} rules={[filled, max(200)]} validateTrigger="onBlur">
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="is_public"
          label={t('images.is_public')}
          extra={t('images.is_public_help')}
          valuePropName="checked"
        >
          <Switch />
        </Form.Item>
      </InputForm>
      <div className="media-actions">
        <CopyButton text={image.image.original} label={t('images.copy_address')}>
          {t('images.copy_address')}
        </CopyButton>
        {may && (
          <UploadButton
            label={t('images.replace')}
            disabled={replacing}
            onFiles={(files) => void replace(files)}
          />
        )}
      </div>
      <Facts
        rows={[
          [t('images.size'), `${image.width} × ${image.height}, ${format.size(image.bytes)}`],
          [t('field.created_at'), format.dateTime(image.created_at)],
        ]}
      />
      <UsedBy image={image} />
    </SideDrawer>
  );
}

interface ButtonsProps {
  image: Image;
  form: InputFormState<Values>;
  onRemove: () => void;
  onClose: () => void;
}

function Buttons({ image, form, onRemove, onClose }: ButtonsProps) {
  const { t } = useTranslation();
  const canDo = useCanDo();
  return (
    <div className="form-buttons">
      {canDo('images', 'delete') && (
        <Button
          danger
          type="text"
          icon={<DeleteOutlined />}
          disabled={image.used_by.length > 0}
          onClick={onRemove}
        >
          {t('action.delete')}
        </Button>
      )}
      <span className="form-buttons-gap" />
      <Button onClick={onClose}>{t('action.close')}</Button>
      {canDo('images', 'update') && (
        <Button
          type="primary"
          loading={form.saving}
          disabled={!form.dirty}
          onClick={() => void form.submit()}
        >
          {t('action.save')}
        </Button>
      )}
    </div>
  );
}

/** Where the picture is shown; a picture in use is not deleted. */
function UsedBy({ image }: { image: Image }) {
  const { t } = useTranslation();
  const mayDelete = useCanDo()('images', 'delete');
  const used = image.used_by.length > 0;
  return (
    <>
      <h3 className="media-used-title">{t('images.used_by')}</h3>
      {used ? (
        <ul className="media-used">
          {image.used_by.map((one) => (
            <li key={`${one.resource}-${one.id}`}>
              <UseLink use={one} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="media-used-none">{t('images.used_nowhere_text')}</p>
      )}
      {used && mayDelete && <p className="media-used-none">{t('images.used_text')}</p>}
    </>
  );
}

/** To what shows the picture, where there is a screen for it. */
function UseLink({ use }: { use: ImageUse }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const canDo = useCanDo();
  const to =
    use.resource === 'products'
      ? url('categories_and_products', undefined, { product_id: use.id })
      : use.resource === 'product_categories'
        ? url('categories_and_products', use.id)
        : use.resource === 'restaurant_tvs'
          ? url('guest_tv', use.id)
          : undefined;
  const kind = t(`images.used_by.${use.resource}`);
  return to && canDo(use.resource, 'list') ? (
    <>
      <Link to={to}>{use.name}</Link> <span className="media-facts">{kind}</span>
    </>
  ) : (
    <>
      {use.name} <span className="media-facts">{kind}</span>
    </>
  );
}
