import { Share2 } from 'lucide-react';
import { formatMoney } from '../../format/money.ts';
import { Button, CopyButton, toastError } from '../../ui/index.ts';
import type { ChargeWithImage } from './charge.ts';

/** Hands the code to another app; where the browser cannot, it copies a message that carries the code. */
export function ShareButton({ charge }: { charge: ChargeWithImage }) {
  const text = `Pix de ${formatMoney(charge.amountCents)}. Copie o código e pague no seu banco:\n\n${charge.content}`;
  if (!('share' in navigator))
    return <CopyButton size="large" className="max-xl:grow" text={text} label="Copiar mensagem" />;
  const share = async () => {
    try {
      await navigator.share({ text });
    } catch (error) {
      // Closing the sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        toastError('Não foi possível enviar o código. Copie-o e envie por onde preferir.');
    }
  };
  return (
    <Button
      size="large"
      className="max-xl:grow"
      icon={<Share2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={share}
    >
      Enviar código
    </Button>
  );
}
