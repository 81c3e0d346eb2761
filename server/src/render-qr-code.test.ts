import fc from 'fast-check';
import jsqr from 'jsqr';
import decodeQr from 'qr/decode.js';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';

import { renderQrCode } from './render-qr-code.ts';

const runs = Number(process.env['PROPERTY_RUNS'] ?? 60);

// The package is CommonJS, and its types describe an ES module.
const readWithJsqr = jsqr as unknown as (typeof jsqr)['default'];

const brCode =
  '00020101021226750014br.gov.bcb.pix2553pix.example.com.br/qr/v2/0123456789abcdef0123456789abcdef' +
  '5204000053039865802BR5925JANGADA PAGAMENTOS SANDBO6009SAO PAULO62070503***6304A1B2';

async function draw(text: string): Promise<Sharp> {
  const uri = renderQrCode(text);
  return sharp(Buffer.from(uri.replace('data:image/png;base64,', ''), 'base64'));
}

/** The texts that two independent decoders read. */
async function readBoth(picture: Sharp): Promise<readonly [string, string | undefined]> {
  const pixels = await picture
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = pixels.info;
  const data = Uint8ClampedArray.from(pixels.data);
  return [decodeQr({ width, height, data: Uint8Array.from(data) }), readWithJsqr(data, width, height)?.data];
}

/** A BR Code of a payment: an address at the bank, names of any length, or a key with an amount. */
const codes = fc
  .record({
    address: fc.stringMatching(/^[a-z]{3,12}\.com\.br\/[a-z0-9/]{2,8}\/[a-f0-9]{32}$/),
    merchant: fc.stringMatching(/^[A-Z ]{1,25}$/),
    city: fc.stringMatching(/^[A-Za-z ]{1,15}$/),
    amount: fc.integer({ min: 1, max: 99_999_999 }),
    checksum: fc.stringMatching(/^[0-9A-F]{4}$/),
  })
  .map(
    ({ address, merchant, city, amount, checksum }) =>
      `00020101021226850014br.gov.bcb.pix25${address.length}${address}52040000530398654${amount}5802BR59${merchant}60${city}6304${checksum}`,
  );

describe('a QR code', () => {
  test('is read back by two decoders, whatever its text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(codes, fc.string({ minLength: 1, maxLength: 150 })), async (text) => {
        expect(await readBoth(await draw(text))).toEqual([text, text]);
      }),
      { numRuns: runs },
    );
  });

  test.each<[string, (picture: Sharp) => Sharp]>([
    ['small', (picture) => picture.resize(170, 170, { kernel: 'mitchell' })],
    ['rotated', (picture) => picture.rotate(17, { background: '#fff' })],
    ['upside down', (picture) => picture.rotate(180)],
    ['blurred', (picture) => picture.blur(3)],
    ['grey', (picture) => picture.linear(0.4, 70)],
  ])('is read back when it is %s', async (_, change) => {
    const picture = change((await draw(brCode)).toColourspace('srgb'));
    const changed = sharp(await picture.png().toBuffer());
    expect(await readBoth(changed)).toEqual([brCode, brCode]);
  });

  test('of a BR Code has 49 modules to a side, and its picture stays below 1,000 bytes', async () => {
    const picture = await draw(brCode);
    expect((await picture.metadata()).width).toBe((49 + 2 * 4) * 8);
    expect(renderQrCode(brCode).length).toBeLessThan(1000 * (4 / 3));
  });
});
