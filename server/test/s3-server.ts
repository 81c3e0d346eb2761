import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ignoreAbortedRequests } from './ignore-aborted-requests.ts';

/**
 * A service like Amazon S3: PutObject, GetObject and DeleteObject of one bucket, by path, accepting only requests
 * signed with its key (Signature Version 4).
 */
export type S3Server = {
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The stored objects. */
  readonly objects: Map<string, Buffer>;
  /** Responds to the next `times` requests with 503 SlowDown. */
  failNextRequests(times: number): void;
  /**
   * Responds to a read of a missing object with 403 AccessDenied, as Amazon does without the right to list the bucket.
   */
  hideMissing(hides: boolean): void;
  stop(): Promise<void>;
};

const known = {
  bucket: 'documentos',
  region: 'us-east-1',
  accessKeyId: 'AKIATEST',
  secretAccessKey: 'segredo/+=',
};

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  let failuresLeft = 0;
  let missing = refusal(404, 'NoSuchKey');
  const server = createServer(
    ignoreAbortedRequests(async (request, response) => {
      const body = await readAll(request);
      const { status, content } =
        failuresLeft-- > 0 ? refusal(503, 'SlowDown') : (serve(request, body, objects) ?? missing);
      const type = status < 300 ? 'application/octet-stream' : 'application/xml';
      response.writeHead(status, { 'content-type': type, 'x-amz-request-id': '1' }).end(content);
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...known,
    url: `http://127.0.0.1:${port}`,
    objects,
    failNextRequests: (times) => {
      failuresLeft = times;
    },
    hideMissing(hides) {
      missing = hides ? refusal(403, 'AccessDenied') : refusal(404, 'NoSuchKey');
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

type S3Response = { readonly status: number; readonly content: Buffer | string };

function refusal(status: number, code: string): S3Response {
  return {
    status,
    content: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  };
}

function serve(request: IncomingMessage, body: Buffer, objects: Map<string, Buffer>): S3Response | undefined {
  if (!isSigned(request, body)) return refusal(403, 'SignatureDoesNotMatch');
  const [, bucket, ...rest] = decodeURIComponent(new URL(request.url ?? '', 'http://s3').pathname).split('/');
  const key = rest.join('/');
  if (bucket !== known.bucket) return refusal(404, 'NoSuchBucket');
  if (request.method === 'PUT') {
    objects.set(key, body);
    return { status: 200, content: '' };
  }
  if (request.method === 'DELETE') {
    objects.delete(key);
    return { status: 204, content: '' };
  }
  const content = objects.get(key);
  return content && { status: 200, content };
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Whether the signature is right, by Amazon's "Authenticating Requests: Using the Authorization Header". */
function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      headers.authorization ?? '',
    );
  const [, keyId = '', day = '', region = '', signedHeaders = '', signature = ''] = parts ?? [];
  const bodyHash = String(headers['x-amz-content-sha256']);
  if (keyId !== known.accessKeyId || region !== known.region || bodyHash !== sha256(body)) return false;
  const { pathname, searchParams } = new URL(url, 'http://s3');
  searchParams.sort();
  const query = searchParams.toString().replaceAll('+', '%20');
  const lines = signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, pathname, query, lines.join(''), signedHeaders, bodyHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const steps = [day, region, 's3', 'aws4_request'];
  const key = steps.reduce<string | Buffer>((made, step) => hmac(made, step), `AWS4${known.secretAccessKey}`);
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
}
