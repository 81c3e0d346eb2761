import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'line' | 'quiet' | 'danger' | 'solid-danger';
export type ButtonSize = 'small' | 'normal' | 'large';

export type ButtonStyle = {
  /**
   * `line` (the default) has a border, `quiet` has none. A view has at most one `primary` button. `solid-danger` is
   * only for confirmation dialogs.
   */
  variant?: ButtonVariant;
  /** The height: 32, 40 or 48 px, and at widths below 768 px 40, 44 or 48 px. */
  size?: ButtonSize;
  /** Fills the width of its container. */
  block?: boolean;
};

const variants: Record<ButtonVariant, string> = {
  primary: 'btn-primary',
  line: 'btn-line',
  quiet: 'btn-quiet',
  danger: 'btn-line btn-danger',
  'solid-danger': 'btn-solid-danger',
};
const sizes: Record<ButtonSize, string> = { small: 'btn-sm', normal: '', large: 'btn-lg' };

/** The classes of a button, for a link that looks like a button. */
export function buttonClass({ variant = 'line', size = 'normal', block = false }: ButtonStyle = {}): string {
  return classNames('btn', variants[variant], sizes[size], block && 'btn-block');
}

export type ButtonProps = ButtonStyle &
  ComponentProps<'button'> & {
    icon?: ReactNode;
    /**
     * While true, the button shows a spinner and `sendingLabel`, keeps its width and the focus, and ignores presses. A
     * button that receives this prop, even as false, also counts a double click as one press.
     */
    isSending?: boolean;
    /** The label while `isSending` is true. Default "Enviando". */
    sendingLabel?: string;
  };

export function Button({
  variant,
  size,
  block,
  icon,
  isSending,
  sendingLabel = 'Enviando',
  className,
  children,
  disabled,
  onClick,
  ...rest
}: ButtonProps) {
  // Undefined props are left out, because the fields of `ButtonStyle` may be absent but not undefined.
  const style: ButtonStyle = {
    ...(variant && { variant }),
    ...(size && { size }),
    ...(block !== undefined && { block }),
  };
  return (
    <button
      type="button"
      {...rest}
      // A button that is sending is not disabled, because disabling a focused button would move the focus to the page.
      disabled={disabled && !isSending}
      aria-disabled={isSending || undefined}
      aria-busy={isSending || undefined}
      onClick={(event) => {
        // The second click of a double click may arrive before `isSending` is rendered as true, so it is ignored too.
        const isSecondClick = isSending !== undefined && event.detail > 1;
        if (isSending || isSecondClick) ignorePress(event);
        else onClick?.(event);
      }}
      className={classNames(buttonClass(style), isSending && 'grid', className)}
    >
      {isSending ? (
        <>
          {/* The hidden label and the sending label share one grid cell, so that the wider one sets the width. */}
          <span
            className="invisible col-start-1 row-start-1 inline-flex items-center gap-2"
            aria-hidden="true"
          >
            {icon}
            {children}
          </span>
          <span className="col-start-1 row-start-1 inline-flex items-center justify-center gap-2">
            <Spinner />
            {sendingLabel}
          </span>
        </>
      ) : (
        <>
          {icon}
          {children}
        </>
      )}
    </button>
  );
}

/** Keeps a press from submitting a form and from reaching the row around the button. */
function ignorePress(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** The accessible name: the button has no visible text. */
  label: string;
  icon: ReactNode;
  variant?: 'quiet' | 'line';
  size?: ButtonSize;
};

export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'normal',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classNames(buttonClass({ variant, size }), 'btn-square', className)}
    >
      {icon}
    </button>
  );
}

/** A turning circle, which says that the user must wait. It is the only animation that loops. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" className={`spin ${className}`} fill="none" aria-hidden="true">
      <circle
        cx="8"
        cy="8"
        r="6.5"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        pathLength="100"
        strokeDasharray="70 100"
      />
    </svg>
  );
}
