import { type DragEvent, useEffect, useRef, useState } from 'react';

const pictures = (files: FileList | undefined) =>
  [...(files ?? [])].filter((file) => file.type.startsWith('image/'));

/** Files that are dragged over an element, and pictures that are pasted anywhere on the page. */
export function useDropAndPaste(take: (files: File[]) => void, enabled: boolean) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  useEffect(() => {
    if (!enabled) return undefined;
    const onPaste = (event: ClipboardEvent) => {
      const found = pictures(event.clipboardData?.files);
      if (found.length === 0) return;
      event.preventDefault();
      take(found);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [take, enabled]);
  const carries = (event: DragEvent) => enabled && event.dataTransfer.types.includes('Files');
  const props = {
    onDragEnter: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      depth.current += 1;
      setOver(true);
    },
    onDragOver: (event: DragEvent) => carries(event) && event.preventDefault(),
    onDragLeave: () => {
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      // All of them: what is no picture is refused with a reason.
      take([...event.dataTransfer.files]);
    },
  };
  return { over, props };
}
