import { type ReactNode, useEffect, useState } from 'react';
import { QrTile } from '../../ui/index.ts';

type QrCodeProps = { content: string; alt: string; cover?: ReactNode; className?: string };

/** A QR code on its tile. The browser draws it from its content, so that it can be shown again after a reload. */
export function QrCode({ content, ...tileProps }: QrCodeProps) {
  const [image, setImage] = useState('');
  useEffect(() => {
    let isCurrent = true;
    void qrImage(content).then((newImage) => isCurrent && setImage(newImage));
    return () => {
      isCurrent = false;
    };
  }, [content]);
  return <QrTile src={image} {...tileProps} />;
}

const MODULE_COLOUR = '#0b1620';
/** The side of a module (a square of the code) in pixels, large enough for users who save the image. */
const MODULE_PIXELS = 8;

/**
 * Draws a QR code, and returns it as a data URI. The image has no margin, because the padding of the tile is the blank
 * margin that scanners need. The library is loaded only when a code is shown.
 */
async function qrImage(content: string): Promise<string> {
  const [{ generate }, { toSvgDataURL }] = await Promise.all([
    import('lean-qr'),
    import('lean-qr/extras/svg'),
  ]);
  return toSvgDataURL(generate(content), { on: MODULE_COLOUR, off: '#ffffff', pad: 0, scale: MODULE_PIXELS });
}
