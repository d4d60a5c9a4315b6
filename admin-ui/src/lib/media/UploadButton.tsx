import { UploadOutlined } from '@ant-design/icons';
import { Button } from '../ui/Button';
import { KINDS } from './send';

interface Props {
  label: string;
  primary?: boolean;
  many?: boolean;
  disabled?: boolean;
  /** Other kinds of files than pictures. */
  accept?: string;
  onFiles: (files: File[]) => void;
}

/** A button that opens the file dialog. The input is made for the click: forms would show a hidden one. */
export function UploadButton({
  label,
  primary = false,
  many = false,
  disabled = false,
  accept = KINDS,
  onFiles,
}: Props) {
  const choose = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.multiple = many;
    input.onchange = () => onFiles([...(input.files ?? [])]);
    input.click();
  };
  return (
    <Button
      type={primary ? 'primary' : 'default'}
      icon={<UploadOutlined />}
      disabled={disabled}
      onClick={choose}
    >
      {label}
    </Button>
  );
}
