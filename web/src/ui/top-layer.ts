const raised = new Set<() => void>();

/** Opens a modal dialog, then reshows whatever must stay above dialogs: the last element shown is painted last. */
export function showModal(dialog: HTMLDialogElement): void {
  dialog.showModal();
  for (const raise of raised) raise();
}

/** Calls `raise` whenever a dialog opens. Returns a function that stops it. */
export function keepAboveDialogs(raise: () => void): () => void {
  raised.add(raise);
  return () => raised.delete(raise);
}

const standing: (() => void)[] = [];

/** Registers the function that closes an open dialog. Returns a function that unregisters it. */
export function standOpen(close: () => void): () => void {
  standing.push(close);
  return () => void standing.splice(standing.indexOf(close), 1);
}

/** The number of open dialogs, stacked on each other. */
export function openDialogs(): number {
  return standing.length;
}

/** Closes the topmost dialog as its close button would; a dialog that is sending stays open. */
export function closeTopDialog(): void {
  standing.at(-1)?.();
}
