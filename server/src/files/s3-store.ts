import type { BucketConfig } from '../config.ts';
import type { Store } from './files.ts';

const patienceMs = 20_000;

/** Stores files as objects in a bucket of Amazon S3 or a compatible service. */
export function s3Store({ bucket: Bucket, prefix, endpoint, region, ...credentials }: BucketConfig): Store {
  const options = {
    region,
    credentials,
    maxAttempts: 3,
    // Compatible services support neither bucket host names nor Amazon's own checksums.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  let opened: ReturnType<typeof open> | undefined;
  /** Loaded with the first file: the SDK is large, and few gateways need it. */
  const open = async () => {
    const s3 = await import('@aws-sdk/client-s3');
    return { s3, client: new s3.S3Client(options) };
  };
  const bucketOf = () => {
    opened ??= open();
    return opened;
  };
  const at = (name: string) => ({ Bucket, Key: `${prefix}${name}` });
  const inTime = () => ({ abortSignal: AbortSignal.timeout(patienceMs) });
  return {
    async write(name, bytes) {
      const { s3, client } = await bucketOf();
      const type = { ContentType: 'application/octet-stream', ContentLength: bytes.length };
      await client.send(new s3.PutObjectCommand({ ...at(name), ...type, Body: bytes }), inTime());
    },
    async read(name) {
      const { s3, client } = await bucketOf();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(at(name)), inTime());
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return undefined;
        throw error;
      }
    },
    async remove(name) {
      const { s3, client } = await bucketOf();
      await client.send(new s3.DeleteObjectCommand(at(name)), inTime());
    },
    close: () => void opened?.then(({ client }) => client.destroy()),
  };
}
