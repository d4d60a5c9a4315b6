/**
 * A cell of a text table; one that a spreadsheet would take for a formula gets an apostrophe, as in all our
 * exports, and so does one that has such apostrophes of its own: an import takes exactly one away.
 */
const cell = (text: string) => `"${(/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Lets the browser save this. */
export function save(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Firefox reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A table as csv that spreadsheets open as it is: with a mark for UTF-8 and semicolons. */
export const csv = (rows: readonly (readonly string[])[]): Blob =>
  new Blob(['\ufeff', rows.map((row) => row.map(cell).join(';')).join('\r\n')], { type: 'text/csv' });
