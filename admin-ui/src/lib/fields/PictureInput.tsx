import { ImageField } from '../media/ImageField';

interface Props {
  /** Of the field: what the picker is called. */
  label: string;
  disabled?: boolean;
  // Handed down by the form.
  value?: string | null;
  onChange?: (id: string | null) => void;
}

/** A picture of the restaurant as a field of a form. */
export default function PictureInput({ label, disabled = false, value, onChange }: Props) {
  return (
    <div role="group" aria-label={label}>
      <ImageField label={label} value={value ?? null} disabled={disabled} onChange={(id) => onChange?.(id)} />
    </div>
  );
}
