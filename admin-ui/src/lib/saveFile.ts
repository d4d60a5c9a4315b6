/** Lets the browser save this. */
export function saveFile(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Firefox reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
