const MODULE_COLOUR = '#0b1620';
/** Pixels per module side, for users who save the image. */
const PIXELS = 8;

/** A QR code as a data URI, drawn in the browser so that it survives a reload. The quiet zone is the tile's padding. */
export async function qrImage(content: string): Promise<string> {
  const [{ generate }, { toSvgDataURL }] = await Promise.all([
    import('lean-qr'),
    import('lean-qr/extras/svg'),
  ]);
  return toSvgDataURL(generate(content), { on: MODULE_COLOUR, off: '#ffffff', pad: 0, scale: PIXELS });
}
