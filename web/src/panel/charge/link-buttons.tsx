import { Share2 } from 'lucide-react';
import { Button, type ButtonStyle, CopyButton, toastError } from '../../ui/index.ts';

/** True when this browser can share a link with another app. */
export function canShare(): boolean {
  return 'share' in navigator;
}

type LinkButtonProps = ButtonStyle & { url: string; className?: string };

/** Copies a link. */
export function CopyLink({ url, ...buttonProps }: LinkButtonProps) {
  return <CopyButton {...buttonProps} text={url} label="Copiar link" />;
}

/** Shares a link with another app, preceded by `text`. Renders nothing if the browser cannot share. */
export function ShareLink({ url, text, ...buttonProps }: LinkButtonProps & { text: string }) {
  if (!canShare()) return null;
  const share = async () => {
    try {
      await navigator.share({ text, url });
    } catch (error) {
      // Closing the share sheet is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        toastError('Não foi possível enviar o link. Copie-o e envie por onde preferir.');
    }
  };
  return (
    <Button
      {...buttonProps}
      icon={<Share2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={share}
    >
      Enviar link
    </Button>
  );
}
