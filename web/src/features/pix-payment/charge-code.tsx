import type { ReactNode } from 'react';
import { chargeLook } from '../../format/charge-status.ts';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { QrTile } from '../../ui/index.ts';
import { type ChargeWithImage, hasCode } from './charge.ts';

/** The QR code of a charge, drawn from its text; covered once it can no longer be paid. */
export function ChargeCode({
  charge,
  over,
  another,
}: {
  charge: ChargeWithImage;
  over: boolean;
  another: ReactNode;
}) {
  const tile = {
    className: 'w-full',
    alt: 'QR Code para pagar este Pix',
    over: over ? (
      <div className="grid justify-items-center gap-4">
        <p className="text-lg font-strong">
          {charge.status === 'pending' ? 'Expirado' : chargeLook(charge.status).word}
        </p>
        {another}
      </div>
    ) : hasCode(charge) ? undefined : (
      <p className="text-muted">Sem código ainda</p>
    ),
  };
  return charge.content === '' ? (
    <QrTile {...tile} src={charge.image} />
  ) : (
    <QrCode {...tile} content={charge.content} />
  );
}
