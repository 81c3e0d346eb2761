const raised = new Set<() => void>();

/** Opens a modal dialog. What is to be seen above every dialog is shown anew: the last one shown is painted last. */
export function showModal(dialog: HTMLDialogElement): void {
  dialog.showModal();
  for (const raise of raised) raise();
}

/** Calls `raise` whenever a dialog has opened, until the answer is called. */
export function keepAboveDialogs(raise: () => void): () => void {
  raised.add(raise);
  return () => raised.delete(raise);
}

const standing: (() => void)[] = [];

/** Keeps how an open dialog is closed, until the answer is called. */
export function standOpen(close: () => void): () => void {
  standing.push(close);
  return () => void standing.splice(standing.indexOf(close), 1);
}

/** How many dialogs are open, one over the other. */
export function openDialogs(): number {
  return standing.length;
}

/** Closes the uppermost dialog as its own button does; one that is sending stays. */
export function closeTopDialog(): void {
  standing.at(-1)?.();
}
