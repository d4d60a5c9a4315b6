import { SearchOutlined } from '@ant-design/icons';
import { useList } from '@refinedev/core';
import { Input, Pagination } from 'antd';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '../../generated/model';
import { useDebounced } from '../hooks';
import { EmptyState, ErrorState, Loading, NothingMatches } from '../ui/states';
import { UploadButton } from './UploadButton';
import { Uploads } from './Uploads';
import { useDropAndPaste } from './useDropAndPaste';
import { useUploads } from './useUploads';
import { Dialog } from '../ui/Dialog';
import './media.css';

const PAGE_SIZE = 24;

interface Props {
  title: string;
  value: string | null;
  onChoose: (image: Image) => void;
  onClose: () => void;
}

/** Chooses a picture of the restaurant; a new one is uploaded and chosen at once. */
export default function ImagePicker({ title, value, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const search = useDebounced(text.trim(), 400);
  const { query, result } = useList<Image>({
    resource: 'images',
    pagination: { currentPage: page, pageSize: PAGE_SIZE },
    filters: search ? [{ field: 'name', operator: 'contains', value: search }] : [],
    errorNotification: false,
    queryOptions: { placeholderData: (old) => old },
  });
  const { uploads, add, retry, dismiss } = useUploads({ catalogue: true, onDone: onChoose });
  const take = useCallback((files: File[]) => add(files.slice(0, 1)), [add]);
  const { over, props } = useDropAndPaste(take, true);
  const rows = result.data;
  return (
    <Dialog title={title} width={860} footer={null} onCancel={onClose}>
      <div className="media-drop" {...props}>
        {over && <div className="media-over">{t('media.drop')}</div>}
        <div className="media-pick-tools">
          <Input
            allowClear
            prefix={<SearchOutlined aria-hidden />}
            aria-label={t('list.search')}
            placeholder={t('list.search')}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setPage(1);
            }}
          />
          <UploadButton primary label={t('media.upload_one')} onFiles={take} />
        </div>
        <Uploads uploads={uploads} onRetry={retry} onDismiss={dismiss} />
        <div className="media-pick" tabIndex={0} role="group" aria-label={t('media.pictures')}>
          {query.isError && !query.data ? (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          ) : query.isLoading ? (
            <Loading rows={4} />
          ) : rows.length === 0 && search ? (
            <NothingMatches
              onClear={() => {
                setText('');
                setPage(1);
              }}
            />
          ) : rows.length === 0 ? (
            <EmptyState title={t('list.empty')} text={t('media.empty')} />
          ) : (
            <ul className="media-grid">
              {rows.map((image) => (
                <li key={image.id}>
                  <button
                    type="button"
                    className="media-tile"
                    aria-pressed={image.id === value}
                    onClick={() => onChoose(image)}
                  >
                    <img className="media-picture" src={image.image.small} alt="" loading="lazy" />
                    <span className="media-text">
                      <span className="media-name">{image.name}</span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
        {(result.total ?? 0) > PAGE_SIZE && (
          <Pagination
            current={page}
            pageSize={PAGE_SIZE}
            total={result.total ?? 0}
            showSizeChanger={false}
            onChange={setPage}
            align="end"
          />
        )}
      </div>
    </Dialog>
  );
}
