import { Check, OctagonX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { toast as hotToast, useToaster } from 'react-hot-toast/headless';
import { keepAboveDialogs } from './top-layer.ts';

const TOAST_MS = 3000;

type ToastOptions = {
  durationMs?: number;
  /** True for a toast that is only visual, because the page itself announces the message to screen readers. */
  unannounced?: boolean;
};

/** Shows a message for 3 s, to report an event. Never use it for form errors. */
export function toast(
  message: string,
  { durationMs = TOAST_MS, unannounced = false }: ToastOptions = {},
): void {
  hotToast.success(message, {
    duration: durationMs,
    ...(unannounced && { ariaProps: { role: 'status', 'aria-live': 'off' } }),
  });
}

/** Shows an error for 3 s, for a failure that cannot be shown within the page. */
export function toastError(message: string): void {
  hotToast.error(message, { duration: TOAST_MS });
}

/**
 * Renders the toasts; mounted once at the root of the app. It is a popover, because only a popover can be painted
 * above an open modal dialog. It must be shown after the dialog for that, so each dialog that opens shows it again.
 * It is not shown again with each toast, because a live region that is removed and re-added with its text may not be
 * announced.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster();
  const popover = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const reshow = () => {
      const element = popover.current;
      if (element === null) return;
      if (element.matches(':popover-open')) element.hidePopover();
      element.showPopover();
    };
    reshow();
    return keepAboveDialogs(reshow);
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
