import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { registerDialog, showModal } from './top-layer.ts';

export type DialogProps = {
  open: boolean;
  /** Called by the close button, Esc and a press on the backdrop. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The buttons at the bottom: cancel, then the primary action. Below 768 px they share the width. */
  footer?: ReactNode;
  /** A destructive action at the far left. */
  footerStart?: ReactNode;
  size?: 'small' | 'normal' | 'wide';
  /** True while the dialog must not be closed, for example because it is sending. */
  locked?: boolean;
  /** `alertdialog` for errors and confirmations. */
  role?: 'dialog' | 'alertdialog';
};

/**
 * A native modal dialog; a bottom sheet below 768 px. Focus goes to the element with `data-autofocus`, else to the
 * title, and returns to its previous place on closing. A dialog that replaces another, as loaded content replaces its
 * skeleton, keeps focus on the close button if it was there. Its children are mounted only while it is open. A
 * dialog's errors are shown inside it.
 */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

/**
 * A press this soon after opening may be the second click of a double click on the control that opened the dialog: it
 * is ignored unless it hits a control.
 */
const DOUBLE_CLICK_MS = 500;
const controls = 'a, button, input, select, textarea, label, summary';

/**
 * True while the dialog that React has just unmounted had the focus on its close button: a dialog that replaces it in
 * the same update keeps the focus there.
 */
let hadFocusOnClose = false;

const widths = { small: 'modal-small', normal: '', wide: 'modal-wide' };

function OpenDialog({
  onClose,
  title,
  children,
  footer,
  footerStart,
  size = 'normal',
  locked = false,
  role,
}: DialogProps) {
  const { dialog, closeButton, titleId, close, onPress } = useModal(locked, onClose);
  return (
    <dialog
      ref={dialog}
      role={role}
      className="modal"
      aria-labelledby={titleId}
      onMouseDown={onPress}
      onCancel={(event) => {
        // React also bubbles the event from a dialog nested in this one.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClose={() => {
        // The event is asynchronous: the dialog may have been reopened by then (StrictMode mounts twice).
        if (dialog.current?.open !== false) return;
        // A second Esc closes a dialog even when the first was prevented (CloseWatcher of HTML).
        if (locked) showModal(dialog.current);
        else onClose();
      }}
    >
      <div className={classNames('modal-box', widths[size])}>
        <DialogHeader
          titleId={titleId}
          title={title}
          closeButton={closeButton}
          locked={locked}
          onClose={close}
        />
        <div className="min-h-0 grow scroll-py-10 overflow-y-auto overscroll-contain px-5 -outline-offset-2 pb-5 md:px-6 md:pb-6">
          {children}
        </div>
        {(footer !== undefined || footerStart !== undefined) && (
          <DialogFooter footerStart={footerStart} footer={footer} />
        )}
      </div>
    </dialog>
  );
}

/** Opens the element as a modal dialog while it is mounted. */
function useModal(locked: boolean, onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const openedAt = useRef(0);
  const titleId = useId();
  // A layout effect, so that its cleanup runs before the element leaves the page: only close() restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    const button = closeButton.current;
    if (element === null) return;
    showModal(element);
    openedAt.current = performance.now();
    const defaultFocus = hadFocusOnClose ? button : element.querySelector('h2');
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? defaultFocus)?.focus();
    return () => {
      hadFocusOnClose = document.activeElement === button;
      queueMicrotask(() => {
        hadFocusOnClose = false;
      });
      element.close();
    };
  }, []);

  const close = () => {
    if (!locked) onClose();
  };
  const latestClose = useRef(close);
  useLayoutEffect(() => {
    latestClose.current = close;
  });
  useLayoutEffect(() => registerDialog(() => latestClose.current()), []);
  const onPress = (event: MouseEvent) => {
    const isSecondClick = event.detail > 1 && event.timeStamp - openedAt.current < DOUBLE_CLICK_MS;
    const hitsControl = !(event.target instanceof Element) || event.target.closest(controls) !== null;
    if (isSecondClick && !hitsControl) return event.preventDefault();
    if (event.target === dialog.current) close();
  };

  return { dialog, closeButton, titleId, close, onPress };
}

function DialogFooter({ footerStart, footer }: { footerStart: ReactNode; footer: ReactNode }) {
  return (
    <footer className="flex flex-wrap gap-3 border-t border-base-300 px-5 py-4 md:px-6">
      {footerStart !== undefined && <div className="mr-auto">{footerStart}</div>}
      <div
        className={classNames(
          'flex flex-wrap justify-end gap-3',
          footerStart === undefined ? 'grow max-md:*:grow' : 'ml-auto max-[27rem]:grow max-[27rem]:*:grow',
        )}
      >
        {footer}
      </div>
    </footer>
  );
}

type DialogHeaderProps = {
  titleId: string;
  title: string;
  closeButton: RefObject<HTMLButtonElement | null>;
  locked: boolean;
  onClose: () => void;
};

function DialogHeader({ titleId, title, closeButton, locked, onClose }: DialogHeaderProps) {
  return (
    <header className="flex items-center justify-between gap-4 px-5 pt-5 pb-3 md:px-6 md:pt-6">
      <h2 id={titleId} tabIndex={-1} className="text-base font-strong outline-none">
        {title}
      </h2>
      <IconButton
        ref={closeButton}
        label="Fechar"
        size="small"
        className="-my-1 -mr-2"
        disabled={locked}
        icon={<X className="size-5.5" strokeWidth={1.75} aria-hidden="true" />}
        onClick={onClose}
      />
    </header>
  );
}
