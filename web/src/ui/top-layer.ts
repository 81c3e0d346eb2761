// Keeps track of the open modal dialogs. Browsers paint modal dialogs and popovers in the "top layer", above the
// page, in the order in which they were shown.

const reshowCallbacks = new Set<() => void>();

/**
 * Opens a modal dialog, then shows the elements that must stay above the dialog once more, because the element that was
 * shown last is on top.
 */
export function showModal(dialog: HTMLDialogElement): void {
  dialog.showModal();
  for (const reshow of reshowCallbacks) reshow();
}

/** From now on, calls `reshow` after each dialog that opens. Returns a function that ends these calls. */
export function keepAboveDialogs(reshow: () => void): () => void {
  reshowCallbacks.add(reshow);
  return () => reshowCallbacks.delete(reshow);
}

/** The functions that close the open dialogs, one for each dialog. The function of the topmost dialog is last. */
const closeCallbacks: (() => void)[] = [];

/** Registers an open dialog by the function that closes it. Returns a function that ends the registration. */
export function registerDialog(close: () => void): () => void {
  closeCallbacks.push(close);
  return () => void closeCallbacks.splice(closeCallbacks.indexOf(close), 1);
}

/** The number of open dialogs, which are stacked on each other. */
export function openDialogCount(): number {
  return closeCallbacks.length;
}

/** Closes the topmost dialog as its close button would. A dialog that is locked stays open. */
export function closeTopDialog(): void {
  closeCallbacks.at(-1)?.();
}
