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
  const images = useImages(useDebounced(text.trim(), 400), page);
  const { uploads, add, retry, dismiss } = useUploads({ catalogue: true, onDone: onChoose });
  const take = useCallback((files: File[]) => add(files.slice(0, 1)), [add]);
  const { over, props } = useDropAndPaste(take, true);
  const search = (next: string) => {
    setText(next);
    setPage(1);
  };
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
            onChange={(event) => search(event.target.value)}
          />
          <UploadButton primary label={t('media.upload_one')} onFiles={take} />
        </div>
        <Uploads uploads={uploads} onRetry={retry} onDismiss={dismiss} />
        <div className="media-pick" tabIndex={0} role="group" aria-label={t('media.pictures')}>
          <Tiles images={images} value={value} onChoose={onChoose} onClear={() => search('')} />
        </div>
        {images.total > PAGE_SIZE && (
          <Pagination
            current={page}
            pageSize={PAGE_SIZE}
            total={images.total}
            showSizeChanger={false}
            onChange={setPage}
            align="end"
          />
        )}
      </div>
    </Dialog>
  );
}

/** A page of the pictures whose name fits. */
function useImages(search: string, page: number) {
  const { query, result } = useList<Image>({
    resource: 'images',
    pagination: { currentPage: page, pageSize: PAGE_SIZE },
    filters: search ? [{ field: 'name', operator: 'contains', value: search }] : [],
    errorNotification: false,
    queryOptions: { placeholderData: (old) => old },
  });
  return { query, rows: result.data, total: result.total ?? 0, searching: search !== '' };
}

interface TilesProps extends Pick<Props, 'value' | 'onChoose'> {
  images: ReturnType<typeof useImages>;
  onClear: () => void;
}

/** The pictures, or why there are none. */
function Tiles({ images: { query, rows, searching }, value, onChoose, onClear }: TilesProps) {
  const { t } = useTranslation();
  if (query.isError && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isLoading) return <Loading rows={4} />;
  if (rows.length === 0)
    return searching ? (
      <NothingMatches onClear={onClear} />
    ) : (
      <EmptyState title={t('media.empty_title')} text={t('media.empty')} />
    );
  return (
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
  );
}
