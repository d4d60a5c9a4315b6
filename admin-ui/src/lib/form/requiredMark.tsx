import type { ReactNode } from 'react';

/** The star is visual only; assistive technology reads aria-required. */
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
