import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a new file readable by its owner only, flushed to disk, and returns its size and checksum. */
export async function writeKept(path: string, ...parts: [Readable, ...NodeJS.ReadWriteStream[]]) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline([...parts, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 })]);
  const written = await open(path, 'r');
  await written.sync().finally(() => written.close());
  return { bytes, sha256: hash.digest('hex') };
}

export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
