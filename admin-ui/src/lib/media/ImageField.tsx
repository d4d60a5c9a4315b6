import { DeleteOutlined, PictureOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { imagesGet } from '../../generated/client/content/content';
import type { Image, Picture } from '../../generated/model';
import { readKey, useRead } from '../query';
import { useRestaurant } from '../target';
import { later } from '../later';
import './media.css';
import { Button } from '../ui/Button';

const ImagePicker = later(() => import('./ImagePicker'), 'over');

interface Props {
  /** Id of the label, so that the buttons are known by it. */
  label: string;
  value: string | null;
  /** Addresses of the saved one. */
  saved?: { id: string | null; image: Picture | null | undefined } | undefined;
  disabled?: boolean;
  onChange: (id: string | null) => void;
}

/** A picture of the menu: chosen among those that are there, or uploaded on the way. */
export function ImageField({ label, value, saved, disabled = false, onChange }: Props) {
  const { t } = useTranslation();
  const restaurant = useRestaurant();
  const [picking, setPicking] = useState(false);
  const known = value !== null && saved?.id === value ? saved.image : undefined;
  const read = useRead(
    readKey('imagesGet', value),
    () => imagesGet(restaurant.partner_id, restaurant.id, value!),
    { enabled: value !== null && !known },
  );
  const picture = known ?? read.data?.image;
  const choose = (image: Image) => {
    setPicking(false);
    onChange(image.id);
  };
  return (
    <div className="media-field">
      {value !== null && picture ? (
        <img className="media-field-picture" src={picture.small} alt="" />
      ) : (
        <span className="media-field-picture media-field-none" aria-hidden>
          <PictureOutlined />
        </span>
      )}
      {!disabled && (
        <span className="media-field-buttons">
          <Button onClick={() => setPicking(true)}>
            {value === null ? t('media.choose') : t('media.change')}
          </Button>
          {value !== null && (
            <Button type="text" icon={<DeleteOutlined />} onClick={() => onChange(null)}>
              {t('media.clear')}
            </Button>
          )}
        </span>
      )}
      {picking && (
        <ImagePicker title={label} value={value} onChoose={choose} onClose={() => setPicking(false)} />
      )}
    </div>
  );
}
