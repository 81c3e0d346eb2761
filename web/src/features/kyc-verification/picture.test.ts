import { KYC_PICTURE_MAX_BYTES } from '@jangada/contract';
import { expect, test } from 'vitest';
import { fileProblem, NOT_A_PICTURE } from './picture.ts';

const problemWith = (bytes: BlobPart, name = 'a.png') => fileProblem(new File([bytes], name));

test('pictures are recognised by their first bytes, whatever their name is', async () => {
  expect(await problemWith(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'a.txt')).toBeUndefined();
  expect(await problemWith(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d))).toBeUndefined();
  expect(await problemWith('RIFF\0\0\0\0WEBPVP8 ')).toBeUndefined();
});

test.each(['', 'GIF89a', '<svg/>', '%PDF-1.7', 'RIFF\0\0\0\0WAVE'])('%j is not a picture', async (text) => {
  expect(await problemWith(text)).toBe(NOT_A_PICTURE);
});

test('a picture of the maximum size is accepted, and one byte more is not', async () => {
  const largest = new Uint8Array(KYC_PICTURE_MAX_BYTES);
  largest.set([0xff, 0xd8, 0xff]);
  expect(await problemWith(largest)).toBeUndefined();
  expect(await problemWith(new Uint8Array(KYC_PICTURE_MAX_BYTES + 1))).toBe(
    'Cada imagem deve ter no máximo 10MB.',
  );
});
