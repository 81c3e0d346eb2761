// Keeps track of the open modal dialogs. Browsers paint modal dialogs and popovers in the "top layer", above the
// page, in the order in which they were shown.

const reshowCallbacks = new Set<() => void>();

/**
 * Opens a modal dialog, then shows again the elements that must stay above it, because the last one shown is on top.
 */
export function showModal(dialog: HTMLDialogElement): void {
  dialog.showModal();
  for (const reshow of reshowCallbacks) reshow();
}

/** Calls `reshow` whenever a dialog opens. Returns a function that stops it. */
export function keepAboveDialogs(reshow: () => void): () => void {
  reshowCallbacks.add(reshow);
  return () => reshowCallbacks.delete(reshow);
}

/** The functions that close the open dialogs; the topmost dialog is last. */
const closeCallbacks: (() => void)[] = [];

/** Registers an open dialog by the function that closes it. Returns a function that unregisters it. */
export function registerDialog(close: () => void): () => void {
  closeCallbacks.push(close);
  return () => void closeCallbacks.splice(closeCallbacks.indexOf(close), 1);
}

/** The number of open dialogs, stacked on each other. */
export function openDialogs(): number {
  return closeCallbacks.length;
}

/** Closes the topmost dialog as its close button would; a dialog that is sending stays open. */
export function closeTopDialog(): void {
  closeCallbacks.at(-1)?.();
}
