import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { registerDialog, showModal } from './top-layer.ts';

/**
 * A panel that slides in from the left over the dimmed page, and covers at most 80 % of the viewport. While the drawer
 * is open, the page does not scroll. Esc and a press on the dimmed page close the drawer.
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
  // The registration below is made once per opening, so it must call the `onClose` of the latest render.
  const latestOnClose = useRef(onClose);
  useEffect(() => {
    latestOnClose.current = onClose;
  });
  useEffect(() => (open ? registerDialog(() => latestOnClose.current()) : undefined), [open]);
  const closeOnOverlayPress = (event: MouseEvent) => {
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
      onClick={closeOnOverlayPress}
      // Esc fires the cancel event before the focus returns to the button that opened the drawer. `onClose` is called
      // that early so that the user can open the drawer again without a delay.
      onCancel={onClose}
      // The close event is fired a moment after the drawer has closed, and the drawer may be open again by then.
      onClose={() => dialog.current?.open === false && onClose()}
    >
      {children}
    </dialog>
  );
}
