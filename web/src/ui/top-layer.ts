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
