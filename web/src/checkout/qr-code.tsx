import { type Bitmap2D, correction, generate } from 'lean-qr';

/**
 * A Pix code as a QR code that stays sharp at any size, including print. Always dark on white; the padding is its quiet
 * zone.
 */
export function QrCode({ code, className }: { code: string; className: string }) {
  const qr = generate(code, { minCorrectionLevel: correction.M });
  return (
    <div className={`qr-tile rounded-box border border-base-300 bg-[#fff] p-5 ${className}`}>
      <svg
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label="QR Code do Pix"
        shapeRendering="crispEdges"
        className="block aspect-square w-full"
      >
        {/* Slightly thicker than a row, so that no gaps show between rows in print. */}
        <path fill="none" stroke="#0b1620" strokeWidth="1.02" d={rowsOf(qr)} />
      </svg>
    </div>
  );
}

/** The dark runs of each row as lines: a fifth of the size and time of outlines. */
export function rowsOf(qr: Pick<Bitmap2D, 'size' | 'get'>): string {
  let path = '';
  for (let y = 0; y < qr.size; y += 1) {
    let pen: number | undefined;
    for (let x = 0; x < qr.size; x += 1) {
      if (!qr.get(x, y)) continue;
      const start = x;
      while (x < qr.size && qr.get(x, y)) x += 1;
      path += pen === undefined ? `M${start} ${y}.5h${x - start}` : `m${start - pen} 0h${x - start}`;
      pen = x;
    }
  }
  return path;
}
