import { Share2 } from 'lucide-react';
import { Button, type ButtonLook, CopyButton, toastError } from '../../ui/index.ts';

/** Whether this browser can hand a link to another app. */
export function canShare(): boolean {
  return 'share' in navigator;
}

type LinkButtonProps = ButtonLook & { url: string; className?: string };

export function CopyLink({ url, ...look }: LinkButtonProps) {
  return <CopyButton {...look} text={url} label="Copiar link" />;
}

/** Hands a link to another app; left out where the browser cannot. `text` goes before it. */
export function ShareLink({ url, text, ...look }: LinkButtonProps & { text: string }) {
  if (!canShare()) return null;
  const share = async () => {
    try {
      await navigator.share({ text, url });
    } catch (error) {
      // Closing the sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        toastError('Não foi possível enviar o link. Copie-o e envie por onde preferir.');
    }
  };
  return (
    <Button
      {...look}
      icon={<Share2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={share}
    >
      Enviar link
    </Button>
  );
}
