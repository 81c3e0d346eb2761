import type { Router } from '../navigation/index.ts';
import { closeTopDialog, openDialogCount } from '../ui/top-layer.ts';

/**
 * Makes the browser's Back close an open dialog and stay on its screen. A dialog that is open because the URL has an
 * `id` needs no help: it closes when Back leaves that URL. Returns a function that ends this.
 */
export function closeOnBack(router: Router): () => void {
  return router.replaceBack(({ search }) => {
    const closesByItself = openDialogCount() === 1 && new URLSearchParams(search).has('id');
    return openDialogCount() === 0 || closesByItself ? undefined : closeTopDialog;
  });
}
