import { Check, OctagonX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { toast as hotToast, useToaster } from 'react-hot-toast/headless';
import { keepAboveDialogs } from './top-layer.ts';

const TOAST_MS = 3000;

type ToastOptions = {
  durationMs?: number;
  /** Only seen: what it says is announced to screen readers by the page itself. */
  unannounced?: boolean;
};

/** Says that something happened, for 3 s. Never for errors of a form. */
export function toast(
  message: string,
  { durationMs = TOAST_MS, unannounced = false }: ToastOptions = {},
): void {
  hotToast.success(message, {
    duration: durationMs,
    ...(unannounced && { ariaProps: { role: 'status', 'aria-live': 'off' } }),
  });
}

/** Says that something failed that has no place of its own on the page. */
export function toastError(message: string): void {
  hotToast.error(message, { duration: TOAST_MS });
}

/**
 * Draws the toasts. One stands at the root of the app. A popover, since nothing else is painted above an open modal
 * dialog, and only if it was shown after the dialog: so it is shown anew with each dialog. Not with each toast: a
 * live region that goes and comes again with what it tells may not be heard.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster();
  const popover = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const raise = () => {
      const element = popover.current;
      if (element === null) return;
      if (element.matches(':popover-open')) element.hidePopover();
      element.showPopover();
    };
    raise();
    return keepAboveDialogs(raise);
  }, []);
  return (
    <div ref={popover} popover="manual" role="status" aria-atomic="false" className="toaster">
      {toasts.map((item) => {
        const Icon = item.type === 'error' ? OctagonX : Check;
        return (
          <div
            key={item.id}
            data-shown={item.visible}
            aria-hidden={item.ariaProps['aria-live'] === 'off' || undefined}
            className="toast-card pointer-events-auto flex min-h-11 max-w-full items-center gap-3 rounded-field bg-base-content px-4 py-2.5 font-medium text-base-100 shadow-menu"
            onMouseEnter={handlers.startPause}
            onMouseLeave={handlers.endPause}
          >
            <Icon className="size-4 shrink-0" strokeWidth={2} aria-hidden="true" />
            {typeof item.message === 'string' ? item.message : null}
          </div>
        );
      })}
    </div>
  );
}
