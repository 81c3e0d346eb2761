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
  /** The button of a destructive action, at the left edge of the footer. */
  footerStart?: ReactNode;
  size?: 'small' | 'normal' | 'wide';
  /** True while the user must not close the dialog, for example because a request is being sent. */
  locked?: boolean;
  /** `alertdialog` for errors and confirmations. */
  role?: 'dialog' | 'alertdialog';
};

/**
 * A native modal dialog, shown as a bottom sheet at widths below 768 px. On opening, the focus goes to the element with
 * `data-autofocus`, or else to the title. On closing, the focus returns to where it was before. If the close button has
 * the focus while another dialog replaces this one, for example when loaded content replaces its placeholder, the focus
 * moves to the close button of the new dialog. The children are mounted only while the dialog is open. Errors belong
 * inside the dialog.
 */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

/**
 * A press within this time after opening may be the second click of a double click on the control that opened the
 * dialog. Such a press is ignored, unless it hits a control in the dialog.
 */
const DOUBLE_CLICK_MS = 500;
/** Matches the elements that a user can operate by pressing them. */
const controlSelector = 'a, button, input, select, textarea, label, summary';

/**
 * True for a moment after a dialog was closed while its close button had the focus. A dialog that React opens in the
 * same update replaces the closed dialog, and focuses its own close button. A microtask resets the value after the
 * update.
 */
let didCloseButtonHaveFocus = false;

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
        // React also bubbles the cancel event of a dialog that is nested in this one.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClose={() => {
        // The close event is asynchronous, and the dialog may be open again by now, as when StrictMode mounts it twice.
        if (dialog.current?.open !== false) return;
        // Browsers close a dialog at a second Esc even if its cancel event was prevented (CloseWatcher of HTML). A
        // locked dialog is then opened again.
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

/** Opens the element with the ref `dialog` as a modal dialog for as long as it is mounted. */
function useModal(locked: boolean, onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const openedAt = useRef(0);
  const titleId = useId();
  // A layout effect, because its cleanup runs before the element leaves the page: the focus returns only if `close()`
  // is called on an element that is still in the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    const button = closeButton.current;
    if (element === null) return;
    showModal(element);
    openedAt.current = performance.now();
    const defaultFocus = didCloseButtonHaveFocus ? button : element.querySelector('h2');
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? defaultFocus)?.focus();
    return () => {
      didCloseButtonHaveFocus = document.activeElement === button;
      queueMicrotask(() => {
        didCloseButtonHaveFocus = false;
      });
      element.close();
    };
  }, []);

  const close = () => {
    if (!locked) onClose();
  };
  // The registration below is made once, so it must call the `close` of the latest render.
  const latestClose = useRef(close);
  useLayoutEffect(() => {
    latestClose.current = close;
  });
  useLayoutEffect(() => registerDialog(() => latestClose.current()), []);
  /** Closes the dialog at a press on the backdrop, whose events have the dialog itself as their target. */
  const onPress = (event: MouseEvent) => {
    const isSecondClick = event.detail > 1 && event.timeStamp - openedAt.current < DOUBLE_CLICK_MS;
    const hitsControl = !(event.target instanceof Element) || event.target.closest(controlSelector) !== null;
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
