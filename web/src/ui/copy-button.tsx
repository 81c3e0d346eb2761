import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonStyle, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { toast, toastError } from './toast.tsx';

const CONFIRMATION_MS = 2000;

export type CopyButtonProps = ButtonStyle & {
  text: string;
  /** The accessible name, e.g. "Copiar ID". It is visible as text unless `iconOnly` is set. */
  label: string;
  iconOnly?: boolean;
  className?: string;
  /**
   * The message of a toast to show after copying. Screen readers announce the toast, so the button then does not also
   * announce "Copiado".
   */
  toastMessage?: string;
  onCopied?: () => void;
};

/** Says that the browser refused to copy a text. */
export function showCopyFailure(): void {
  toastError('Falha ao copiar para a área de transferência.');
}

/**
 * Copies `text`. For 2 s afterwards the icon is a check mark and the label is "Copiado", which screen readers announce
 * as well.
 */
export function CopyButton({
  text,
  label,
  iconOnly = false,
  toastMessage,
  onCopied,
  ...style
}: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return showCopyFailure();
    }
    setIsCopied(true);
    if (toastMessage !== undefined) toast(toastMessage);
    onCopied?.();
  };
  const icon = isCopied ? (
    <Check className="size-4 text-success-glyph" strokeWidth={1.75} aria-hidden="true" />
  ) : (
    <Copy className="size-4" strokeWidth={1.75} aria-hidden="true" />
  );
  const announcement = (
    <span role="status" className="sr-only">
      {isCopied && toastMessage === undefined ? 'Copiado' : ''}
    </span>
  );
  if (iconOnly) {
    const { className, size = 'small' } = style;
    return (
      <>
        <IconButton
          label={label}
          icon={icon}
          size={size}
          onClick={copy}
          className={classNames('text-muted', className)}
        />
        {announcement}
      </>
    );
  }
  // On a primary button the check keeps the button's colour: green would not be visible there.
  const buttonIcon =
    style.variant === 'primary' && isCopied ? (
      <Check className="size-4" strokeWidth={2} aria-hidden="true" />
    ) : (
      icon
    );
  return (
    <>
      <Button {...style} icon={buttonIcon} onClick={copy}>
        {isCopied ? 'Copiado' : label}
      </Button>
      {announcement}
    </>
  );
}
