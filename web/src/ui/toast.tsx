import { Check, OctagonX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { toast as hotToast, useToaster } from 'react-hot-toast/headless';
import { keepAboveDialogs } from './top-layer.ts';

const TOAST_MS = 3000;

type ToastOptions = {
  durationMs?: number;
  /** True when screen readers must not announce the toast, because the page itself announces the message. */
  unannounced?: boolean;
};

/**
 * Shows a message about something that happened, for 3 s by default. The errors of a form belong in the form, not in a
 * toast.
 */
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
 * Renders the toasts. It is mounted once, at the root of the app. The element is a popover, because only a popover can
 * be painted above an open modal dialog, and only if it was shown after the dialog. So the popover is shown again each
 * time a dialog opens. It is not shown again for each toast, because screen readers may not announce a live region that
 * is removed and then added with its text.
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
