import { type Bitmap2D, correction, generate } from 'lean-qr';

/**
 * A Pix code as a QR code that stays sharp at any size, also in print. The code is dark on white in every theme, and
 * its padding is the quiet zone, the blank margin that scanners need.
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
        {/* The line is slightly thicker than a row, because in print there would otherwise be gaps between the
            rows. */}
        <path fill="none" stroke="#0b1620" strokeWidth="1.02" d={darkRunsPath(qr)} />
      </svg>
    </div>
  );
}

/**
 * An SVG path with one line for each horizontal run of dark modules (the squares of a QR code). Outlines of the dark
 * areas would need five times the size and the time.
 */
export function darkRunsPath(qr: Pick<Bitmap2D, 'size' | 'get'>): string {
  let path = '';
  for (let y = 0; y < qr.size; y += 1) {
    /** Where the previous run of this row ended; undefined before the first run. */
    let penX: number | undefined;
    for (let x = 0; x < qr.size; x += 1) {
      if (!qr.get(x, y)) continue;
      const start = x;
      while (x < qr.size && qr.get(x, y)) x += 1;
      path += penX === undefined ? `M${start} ${y}.5h${x - start}` : `m${start - penX} 0h${x - start}`;
      penX = x;
    }
  }
  return path;
}
