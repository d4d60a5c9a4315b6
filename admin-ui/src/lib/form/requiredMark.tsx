import type { ReactNode } from 'react';

/** The star is for the eye; assistive technology hears aria-required. */
export const requiredMark = (label: ReactNode, { required }: { required: boolean }) =>
  required ? (
    <>
      {label}
      <span className="required" aria-hidden>
        *
      </span>
    </>
  ) : (
    label
  );
