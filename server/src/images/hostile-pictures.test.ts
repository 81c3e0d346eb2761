import { beforeAll, describe, expect, test } from 'vitest';
import { type HostilePicture, hostilePictures, payload, photo } from '../../test/hostile-pictures.ts';
import { reencode } from './index.ts';
import {
  AVATAR_SIDE,
  DOCUMENT_SIDE,
  type EncodedPicture,
  hasPictureSignature,
  THUMBNAIL_MAX_BYTES,
} from './picture.ts';
import { runEncoder } from './run-encoder.ts';

// Uploaded pictures come from anybody. What is stored must be a new picture, without a byte of the upload.

/** The memory limit of the encoder process (encoder.ts). */
const maxMemoryBytes = 768 * 1024 * 1024;

let corpus: readonly HostilePicture[];
beforeAll(async () => {
  corpus = await hostilePictures();
});

/** A WebP with a single chunk contains nothing but the picture: no metadata, no frames, no appended data. */
function expectBareWebp(content: Buffer): void {
  expect(content.toString('latin1', 0, 4) + content.toString('latin1', 8, 16)).toBe('RIFFWEBPVP8 ');
  expect(content.readUInt32LE(4) + 8).toBe(content.length);
  const length = content.readUInt32LE(16);
  expect(20 + length + (length % 2)).toBe(content.length);
}

const runLength = 24;

/**
 * Counts the runs of bytes that are in both files. Only runs with at least 8 different bytes count, because two WebP
 * files of the same size share a few header bytes.
 */
function countSharedRuns(upload: Buffer, encoded: Buffer): number {
  const runs = new Set<string>();
  for (let position = 0; position + runLength <= encoded.length; position += 1)
    runs.add(encoded.toString('latin1', position, position + runLength));
  let shared = 0;
  for (let position = 0; position + runLength <= upload.length; position += 1) {
    const run = upload.toString('latin1', position, position + runLength);
    if (runs.has(run) && new Set(run).size >= 8) shared += 1;
  }
  return shared;
}

function expectNoUploadedBytes(upload: Buffer, { content, thumbnail, width, height }: EncodedPicture): void {
  for (const encoded of [content, ...(thumbnail ? [thumbnail] : [])]) {
    expectBareWebp(encoded);
    expect(encoded.includes(payload.subarray(0, 12))).toBe(false);
    expect(countSharedRuns(upload, encoded)).toBe(0);
  }
  expect(Math.max(width, height)).toBeLessThanOrEqual(DOCUMENT_SIDE);
  expect(thumbnail?.length).toBeLessThanOrEqual(THUMBNAIL_MAX_BYTES);
}

describe('the hostile files', () => {
  test('are many and all different', () => {
    expect(corpus.length).toBeGreaterThan(60);
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  });

  test('are never stored as sent, and never exceed the memory limit', async () => {
    const acceptedFiles = corpus.filter(({ bytes }) => hasPictureSignature(bytes, 'document'));
    const { pictures, peakBytes } = await runEncoder(
      acceptedFiles.map(({ bytes }) => bytes),
      'document',
    );
    for (const { name, bytes, becomes } of corpus) {
      const picture = pictures[acceptedFiles.findIndex((file) => file.name === name)];
      const outcome = picture === undefined ? 'refused' : 'a new picture';
      if (becomes !== 'either') expect([name, outcome]).toEqual([name, becomes]);
      if (picture !== undefined) expectNoUploadedBytes(bytes, picture);
    }
    expect(peakBytes).toBeLessThan(maxMemoryBytes);
    // Decoding the largest one alone takes this much, so it was really decoded.
    expect(peakBytes).toBeGreaterThan(150 * 1024 * 1024);
  });
});

describe('a picture', () => {
  test('of an account becomes a square of 256 pixels, from JPEG or PNG only', async () => {
    const [avatar] = (await reencode([await photo(400, 300)], 'avatar')) ?? [];
    expect(avatar).toMatchObject({ width: AVATAR_SIDE, height: AVATAR_SIDE, thumbnail: undefined });
    expectBareWebp(avatar?.content ?? Buffer.alloc(20));
    const webp = corpus.find(({ name }) => name === 'WebP with PHP behind its end');
    expect(await reencode([webp?.bytes ?? Buffer.alloc(0)], 'avatar')).toBeUndefined();
  });

  test('of a document is rotated as the camera was held', async () => {
    const side = corpus.find(({ name }) => name === 'JPEG lying on its side');
    const [rotated] = (await reencode([side?.bytes ?? Buffer.alloc(0)], 'document')) ?? [];
    expect(rotated).toMatchObject({ width: 100, height: 200 });
  });

  test('that is broken fails the pictures uploaded with it, and later ones succeed', async () => {
    const good = await photo();
    expect(await reencode([good, good.subarray(0, 500), good], 'document')).toBeUndefined();
    expect(await reencode([good, good, good], 'document')).toHaveLength(3);
  });

  test('waits for others, and is refused when the queue is full', async () => {
    const good = await photo(32, 32);
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => reencode([good], 'avatar')));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused).toMatchObject([{ reason: { code: 'OVERLOADED' } }, { reason: { code: 'OVERLOADED' } }]);
  });
});
