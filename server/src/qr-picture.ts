import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { correction, generate } from 'lean-qr';

const compress = promisify(deflate);
/** The blank margin that scanners need, in modules (the squares of a QR code). */
const quietZone = 4;
const pixelsPerModule = 8;

/**
 * Renders a BR Code (the text that a payer scans) as a QR code: a 1-bit PNG in a data URI, with its blank margin. Only
 * the matrix is computed on the event loop; zlib uses a thread of its own.
 */
export async function qrPicture(code: string): Promise<string> {
  const qr = generate(code, { minCorrectionLevel: correction.M });
  const side = (qr.size + 2 * quietZone) * pixelsPerModule;
  const rowBytes = Math.ceil(side / 8) + 1;
  const pixels = Buffer.alloc(rowBytes * side, 0xff);
  // Every row begins with a byte for its filter: 0 for none.
  for (let y = 0; y < side; y += 1) pixels[y * rowBytes] = 0;
  // At 8 pixels per module and 1 bit per pixel, a module is exactly one byte of a row.
  for (let row = 0; row < qr.size; row += 1) {
    for (let column = 0; column < qr.size; column += 1) {
      if (!qr.get(column, row)) continue;
      for (let line = 0; line < pixelsPerModule; line += 1) {
        pixels[((row + quietZone) * pixelsPerModule + line) * rowBytes + 1 + column + quietZone] = 0;
      }
    }
  }
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', imageHeader(side)),
    chunk('IDAT', await compress(pixels, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** The data of the header: width, height, 1 bit per pixel, greyscale (PNG specification, 11.2.2). */
function imageHeader(side: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(side, 0);
  data.writeUInt32BE(side, 4);
  data[8] = 1;
  return data;
}

/** A chunk of a PNG: length, type, data and checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const encoded = Buffer.alloc(body.length + 8);
  encoded.writeUInt32BE(data.length, 0);
  body.copy(encoded, 4);
  encoded.writeUInt32BE(crc32(body), body.length + 4);
  return encoded;
}
