import { type ReactNode, useEffect, useState } from 'react';
import { QrTile } from '../../ui/index.ts';
import { qrImage } from './qr-image.ts';

type QrCodeProps = { content: string; alt: string; over?: ReactNode; className?: string };

/** A QR code on its tile, drawn in the browser from its content. */
export function QrCode({ content, ...tile }: QrCodeProps) {
  const [drawn, setDrawn] = useState('');
  useEffect(() => {
    let wanted = true;
    void qrImage(content).then((image) => wanted && setDrawn(image));
    return () => {
      wanted = false;
    };
  }, [content]);
  return <QrTile src={drawn} {...tile} />;
}
