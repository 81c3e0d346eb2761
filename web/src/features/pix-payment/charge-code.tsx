import { type ReactNode, useEffect, useState } from 'react';
import { chargeLook } from '../../format/charge-status.ts';
import { QrTile } from '../../ui/index.ts';
import type { Charge } from './charge.ts';
import { qrImage } from './qr-image.ts';

/** The QR code of a charge, drawn from its text; covered once it can no longer be paid. */
export function ChargeCode({ charge, over, another }: { charge: Charge; over: boolean; another: ReactNode }) {
  const [drawn, setDrawn] = useState('');
  useEffect(() => {
    if (charge.content === '') return;
    let wanted = true;
    void qrImage(charge.content).then((image) => wanted && setDrawn(image));
    return () => {
      wanted = false;
    };
  }, [charge.content]);
  return (
    <QrTile
      className="w-full"
      src={charge.content === '' ? charge.image : drawn}
      alt="QR Code para pagar este Pix"
      over={
        over ? (
          <div className="grid justify-items-center gap-4">
            <p className="text-lg font-strong">
              {charge.status === 'pending' ? 'Expirado' : chargeLook(charge.status).word}
            </p>
            {another}
          </div>
        ) : undefined
      }
    />
  );
}
