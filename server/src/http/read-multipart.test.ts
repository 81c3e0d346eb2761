import { errors } from '@jangada/contract';
import { FormData, Response } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { Refusal } from '../refusal.ts';
import { boundaryOf, readMultipart, type Upload } from './read-multipart.ts';

const upload: Upload = {
  fields: ['front', 'back'],
  maxFileBytes: 1000,
  missing: 'KYC_INCOMPLETE',
  tooLarge: 'PICTURE_TOO_LARGE',
};

function codeOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'OK';
}

const part = (disposition: string, content = 'x', extraHeaders = '') =>
  `--B\r\nContent-Disposition: ${disposition}\r\n${extraHeaders}\r\n${content}\r\n`;
const front = part('form-data; name="front"; filename="a.png"');
const back = part('form-data; name="back"; filename="b.png"');
const read = (text: string, boundary = 'B') => readMultipart(Buffer.from(text, 'latin1'), boundary, upload);

/** Returns the code of the outcome, and how many bytes `indexOf` searched until then. */
function countSearchedBytes(parse: () => unknown): { code: string; bytes: number } {
  const buffers: { indexOf(value: Uint8Array, from?: number): number } = Buffer.prototype;
  const original = buffers.indexOf;
  let bytes = 0;
  const search = vi.spyOn(buffers, 'indexOf').mockImplementation(function (
    this: Buffer,
    value: Uint8Array,
    from = 0,
  ) {
    const position = original.call(this, value, from);
    bytes += (position < 0 ? this.length : position) - from;
    return position;
  });
  try {
    const code = codeOf(parse);
    return { code, bytes };
  } finally {
    search.mockRestore();
  }
}

describe('a multipart body', () => {
  test('of another implementation is read byte for byte, whatever its files contain', async () => {
    const contents = {
      front: Buffer.from([0, 13, 10, 45, 45, 255, 13, 10, 13, 10]),
      back: Buffer.from('\r\n--nobody--\r\n'),
    };
    const form = new FormData();
    form.append('back', new File([contents.back], 'costas do "documento"; name="front".png'));
    form.append('front', new File([contents.front], 'frente ção.jpg', { type: 'image/jpeg' }));
    const written = new Response(form);
    const boundary = boundaryOf(written.headers.get('content-type') ?? '') ?? '';
    const body = Buffer.from(await written.arrayBuffer());
    const files = readMultipart(body, boundary, upload);
    expect({ front: Buffer.from(files['front'] ?? []), back: Buffer.from(files['back'] ?? []) }).toEqual(
      contents,
    );
  });

  test.each([
    ['the names of curl and of browsers', `${front}${back}--B--\r\n`, 'OK'],
    ['unquoted names', `${part('form-data; name=front; filename=a')}${back}--B--`, 'OK'],
    [
      'the field name after the file name',
      `${part('form-data; filename="a"; name="front"')}${back}--B--`,
      'OK',
    ],
    [
      'headers of its own',
      `${part('form-data; name="front"; filename="a"', 'x', 'Content-Type: a/b\r\n')}${back}--B--`,
      'OK',
    ],
    ['text after its end', `${front}${back}--B--\r\nrest`, 'OK'],
    ['no end', `${front}${back}`, 'INVALID_BODY'],
    ['an end in the middle of a part', `${front}--B\r\nContent-Disposition: form-data`, 'INVALID_BODY'],
    ['nothing', '', 'INVALID_BODY'],
    ['another boundary', `${front}${back}--B--`.replaceAll('--B', '--C'), 'INVALID_BODY'],
    ['a delimiter that goes on', `${front.replace('--B\r\n', '--BB\r\n')}${back}--B--`, 'INVALID_BODY'],
    ['text before its beginning', `preamble\r\n${front}${back}--B--`, 'INVALID_BODY'],
    [
      'an unknown field',
      `${front}${back}${part('form-data; name="role"; filename="a"')}--B--`,
      'INVALID_BODY',
    ],
    ['a field that is no file', `${front}${part('form-data; name="back"')}--B--`, 'INVALID_BODY'],
    ['a field twice', `${front}${front}${back}--B--`, 'INVALID_BODY'],
    ['a part of no form', `${front}${part('attachment; name="back"; filename="a"')}--B--`, 'INVALID_BODY'],
    ['a header without end', `--B\r\n${'a: b\r\n'.repeat(1000)}\r\nx\r\n${back}--B--`, 'INVALID_BODY'],
    ['a field of a prototype', `${part('form-data; name="__proto__"; filename="a"')}--B--`, 'INVALID_BODY'],
    ['a file too few', `${front}--B--`, 'KYC_INCOMPLETE'],
    ['an empty file', `${front}${part('form-data; name="back"; filename=""', '')}--B--`, 'KYC_INCOMPLETE'],
    ['no part at all', '--B--\r\n', 'KYC_INCOMPLETE'],
    [
      'a file too large',
      `${front}${part('form-data; name="back"; filename="a"', 'y'.repeat(1001))}--B--`,
      'PICTURE_TOO_LARGE',
    ],
  ])('with %s gets the right response', (_, body, code) => {
    expect(code === 'OK' || code in errors).toBe(true);
    expect(codeOf(() => read(body))).toBe(code);
  });

  test('of many parts is abandoned at the first unexpected one, and no byte is searched more than twice', () => {
    const repeatedPart = part('form-data; name="front"; filename="a"');
    const manyParts = countSearchedBytes(() => read(repeatedPart.repeat(20_000)));
    expect(manyParts.code).toBe('INVALID_BODY');
    expect(manyParts.bytes).toBeLessThanOrEqual(2 * repeatedPart.length);
    for (const file of ['\r\n--'.repeat(200_000), '\r\n\r\n'.repeat(200_000)]) {
      const largePart = part('form-data; name="front"; filename="a"', file);
      const largeBody = countSearchedBytes(() => read(`${largePart}${back}--B--`));
      expect(largeBody.code).toBe('PICTURE_TOO_LARGE');
      expect(largeBody.bytes).toBeLessThanOrEqual(2 * largePart.length);
    }
  });
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
  ['multipart/form-data', undefined],
  ['multipart/form-data; boundary=', undefined],
  [`multipart/form-data; boundary=${'a'.repeat(71)}`, undefined],
  ['multipart/mixed; boundary=abc', undefined],
  ['application/json', undefined],
  [undefined, undefined],
])('the boundary of %s is %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary);
});
