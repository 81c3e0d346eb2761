import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { registerDialog, showModal } from './top-layer.ts';

/**
 * A panel that slides in from the left over a dimmed page: at most 80 % of the viewport, with page scrolling locked.
 * Esc and a press on the overlay close it.
 */
export function Drawer({
  open,
  onClose,
  label,
  children,
}: {
  open: boolean;
  onClose: () => void;
  label: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === open) return;
    if (open) showModal(element);
    else element.close();
  }, [open]);
  const latestOnClose = useRef(onClose);
  useEffect(() => {
    latestOnClose.current = onClose;
  });
  useEffect(() => (open ? registerDialog(() => latestOnClose.current()) : undefined), [open]);
  const pressOverlay = (event: MouseEvent) => {
    if (event.target !== dialog.current) return;
    const box = dialog.current.getBoundingClientRect();
    if (event.clientX > box.right) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the overlay is for the pointer; the keyboard closes it with Esc
    <dialog
      ref={dialog}
      className="drawer-sheet"
      aria-label={label}
      onClick={pressOverlay}
      // The cancel event of Esc fires before focus returns, so that an immediate reopening works.
      onCancel={onClose}
      onClose={onClose}
    >
      {children}
    </dialog>
  );
}
