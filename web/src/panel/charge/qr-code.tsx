import { type ReactNode, useEffect, useState } from 'react';
import { QrTile } from '../../ui/index.ts';

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

const MODULE_COLOUR = '#0b1620';
/** Pixels per module side, for users who save the image. */
const PIXELS = 8;

/** A QR code as a data URI, drawn in the browser so that it survives a reload. The quiet zone is the tile's padding. */
async function qrImage(content: string): Promise<string> {
  const [{ generate }, { toSvgDataURL }] = await Promise.all([
    import('lean-qr'),
    import('lean-qr/extras/svg'),
  ]);
  return toSvgDataURL(generate(content), { on: MODULE_COLOUR, off: '#ffffff', pad: 0, scale: PIXELS });
}
