import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { BucketConfig } from '../config.ts';
import type { Store } from './files.ts';

const patienceMs = 20_000;

/** Objects of a bucket of Amazon S3, or of a service that speaks as it does. */
export function s3Store({ bucket: Bucket, prefix, endpoint, region, ...credentials }: BucketConfig): Store {
  const client = new S3Client({
    region,
    credentials,
    maxAttempts: 3,
    // The others know neither buckets as host names nor checksums of Amazon's own.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const at = (name: string) => ({ Bucket, Key: `${prefix}${name}` });
  const inTime = () => ({ abortSignal: AbortSignal.timeout(patienceMs) });
  return {
    async write(name, bytes) {
      const type = { ContentType: 'application/octet-stream', ContentLength: bytes.length };
      await client.send(new PutObjectCommand({ ...at(name), ...type, Body: bytes }), inTime());
    },
    async read(name) {
      try {
        const { Body } = await client.send(new GetObjectCommand(at(name)), inTime());
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(at(name)), inTime());
    },
    close: () => client.destroy(),
  };
}
