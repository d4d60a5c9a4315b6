import { useContext, useEffect, useRef } from 'react';
import { LayerContext } from '../ui/Attached';
import { focusFirstField } from '../ui/focus';

interface Props {
  /** Also on a page: the form is for a new row, or the only purpose of the page. */
  onPage: boolean;
}

/** First child of a form: gives the focus to the form's first field when the form opens in a drawer or dialog. */
export function FirstField({ onPage }: Props) {
  const inLayer = useContext(LayerContext);
  const place = useRef<HTMLSpanElement>(null);
  const wanted = inLayer || onPage;
  useEffect(() => {
    if (!wanted) return;
    // Taking the row over mounts the inputs anew.
    const frame = requestAnimationFrame(() => {
      if (place.current?.parentElement) focusFirstField(place.current.parentElement);
    });
    return () => cancelAnimationFrame(frame);
    // only when the form opens
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return <span ref={place} hidden />;
}
