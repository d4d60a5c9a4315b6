import { getDocumentationFilesDownloadUrl } from '../../generated/client/content/content';
import { requestFile } from '../../lib/http';

/**
 * Fetches a documentation (the call needs our header, which a plain link does not send) and hands it to the
 * browser.
 */
export async function download({ name, filename }: { name: string; filename: string }): Promise<void> {
  const url = URL.createObjectURL(await requestFile(getDocumentationFilesDownloadUrl(name)));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = filename;
  anchor.click();
  // Firefox reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
