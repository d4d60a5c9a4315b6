import { DeleteOutlined } from '@ant-design/icons';
import { useInvalidate } from '@refinedev/core';
import { useQuery } from '@tanstack/react-query';
import { Form, Input } from 'antd';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { imagesDelete, imagesGet, imagesUpdate } from '../../generated/client/content/content';
import type { Image, ImageUse } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { InputForm } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useFormat } from '../../lib/format';
import { useHotkey } from '../../lib/hooks';
import { UploadButton } from '../../lib/media/UploadButton';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Facts } from '../../lib/ui/page';
import { CopyButton, ErrorState, Loading } from '../../lib/ui/states';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { useWork } from '../../lib/ui/work';

/** One picture: what it is called, where it is shown; renamed, replaced, removed. */
export function ImageDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const restaurant = useRestaurant();
  const query = useQuery({
    queryKey: ['images', 'one', id],
    queryFn: () => imagesGet(restaurant.partner_id, restaurant.id, id),
  });
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
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}
    </SideDrawer>
  );
}

interface Values {
  name: string;
}

function Loaded({
  image,
  onClose,
  refetch,
}: {
  image: Image;
  onClose: () => void;
  refetch: () => Promise<void>;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const notify = useNotify();
  const canDo = useCanDo();
  const restaurant = useRestaurant();
  const invalidate = useInvalidate();
  const { busy: replacing, work } = useWork();
  const may = canDo('images', 'update');
  const changed = useCallback(async () => {
    await Promise.all([refetch(), invalidate({ resource: 'images', invalidates: ['list'] })]);
  }, [refetch, invalidate]);
  const action = useInputForm<Values, Image>({
    initial: { name: image.name },
    send: useCallback(
      (values: Values) =>
        imagesUpdate(restaurant.partner_id, restaurant.id, image.id, {
          name: values.name,
          version: image.version,
        }),
      [restaurant, image],
    ),
    onDone: useCallback(() => {
      notify.saved();
      void changed();
    }, [notify, changed]),
  });
  const close = () => void action.ask().then((go) => go && onClose());
  useHotkey('ctrl+s', () => void action.submit(), may);
  const replace = async ([file]: File[]) => {
    if (!file) return;
    await work(async () => {
      await imagesUpdate(restaurant.partner_id, restaurant.id, image.id, {
        image: file,
        version: image.version,
      });
      notify.success(t('images.replaced'));
      await changed();
    });
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
    try {
      await imagesDelete(restaurant.partner_id, restaurant.id, image.id);
      await invalidate({ resource: 'images', invalidates: ['list'] });
      notify.success(t('state.deleted', { name: image.name }));
      onClose();
    } catch (error) {
      notify.problem(error);
      void refetch();
    }
  };
  const used = image.used_by.length > 0;
  return (
    <SideDrawer
      title={image.name}
      onClose={close}
      footer={
        <div className="form-buttons">
          {canDo('images', 'delete') && (
            <Button
              danger
              type="text"
              icon={<DeleteOutlined />}
              disabled={used}
              onClick={() => void remove()}
            >
              {t('action.delete')}
            </Button>
          )}
          <span className="form-buttons-gap" />
          <Button onClick={close}>{t('action.close')}</Button>
          {may && (
            <Button
              type="primary"
              loading={action.saving}
              disabled={!action.dirty}
              onClick={() => void action.submit()}
            >
              {t('action.save')}
            </Button>
          )}
        </div>
      }
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
      <InputForm state={action} disabled={!may}>
        <Form.Item
          name="name"
          label={t('images.name')}
          rules={[
            { required: true, whitespace: true, message: t('form.required') },
            { max: 200, message: t('form.max_length', { max: 200 }) },
          ]}
          validateTrigger="onBlur"
        >
          <Input autoComplete="off" />
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
      {used && canDo('images', 'delete') && <p className="media-used-none">{t('images.used_text')}</p>}
    </SideDrawer>
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
