import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonLook, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';

const CONFIRMATION_MS = 2000;

export type CopyButtonProps = ButtonLook & {
  text: string;
  /** What is copied, e.g. "Copiar ID". Shown as words unless `iconOnly`. */
  label: string;
  iconOnly?: boolean;
  className?: string;
  onCopied?: () => void;
  /** The clipboard refused; the caller says so. */
  onFailed?: () => void;
};

/** Copies `text`; for 2 s its icon is a check and its word "Copiado", which is also announced. */
export function CopyButton({ text, label, iconOnly = false, onCopied, onFailed, ...look }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onCopied?.();
    } catch {
      onFailed?.();
    }
  };
  const icon = copied ? (
    <Check className="size-4 text-success-glyph" strokeWidth={1.75} aria-hidden="true" />
  ) : (
    <Copy className="size-4" strokeWidth={1.75} aria-hidden="true" />
  );
  const announcement = (
    <span role="status" className="sr-only">
      {copied ? 'Copiado' : ''}
    </span>
  );
  if (iconOnly) {
    const { className, size = 'small' } = look;
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
  // Its own colour on a primary button: a green check would not be seen there.
  const face =
    look.variant === 'primary' && copied ? (
      <Check className="size-4" strokeWidth={2} aria-hidden="true" />
    ) : (
      icon
    );
  return (
    <>
      <Button {...look} icon={face} onClick={copy}>
        {copied ? 'Copiado' : label}
      </Button>
      {announcement}
    </>
  );
}
