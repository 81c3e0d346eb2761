import { Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { chargeBadge } from '../../format/charge-status.ts';
import { formatMoney } from '../../format/money.ts';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { Button, CopyButton, QrTile, toastError } from '../../ui/index.ts';
import { type ChargeWithImage, hasCode } from './charge.ts';

type ChargeCodeProps = {
  charge: ChargeWithImage;
  /** True when the charge can no longer be paid. */
  isClosed: boolean;
  /** The button that creates another charge, shown on the cover of a code that can no longer be paid. */
  createAnother: ReactNode;
};

/**
 * The QR code of a charge, drawn from its text. If the provider (the gateway behind the dashboard) sent no text, the
 * image that it sent is shown instead. A cover hides the code once the charge can no longer be paid.
 */
export function ChargeCode(props: ChargeCodeProps) {
  const { charge } = props;
  const tileProps = { className: 'w-full', alt: 'QR Code para pagar este Pix', cover: coverOf(props) };
  return charge.content === '' ? (
    <QrTile {...tileProps} src={charge.image} />
  ) : (
    <QrCode {...tileProps} content={charge.content} />
  );
}

function coverOf({ charge, isClosed, createAnother }: ChargeCodeProps): ReactNode {
  if (isClosed)
    return (
      <div className="grid justify-items-center gap-4">
        <p className="text-lg font-strong">
          {charge.status === 'pending' ? 'Expirado' : chargeBadge(charge.status).label}
        </p>
        {createAnother}
      </div>
    );
  return hasCode(charge) ? undefined : <p className="text-muted">Sem código ainda</p>;
}

/**
 * Shares the code with another app. Where the browser cannot share, the button copies a message that contains the code.
 */
export function ShareButton({ charge }: { charge: ChargeWithImage }) {
  const text = `Pix de ${formatMoney(charge.amountCents)}. Copie o código e pague no seu banco:\n\n${charge.content}`;
  if (!('share' in navigator))
    return <CopyButton size="large" className="max-xl:grow" text={text} label="Copiar mensagem" />;
  const share = async () => {
    try {
      await navigator.share({ text });
    } catch (error) {
      // Closing the share sheet is not a failure.
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
