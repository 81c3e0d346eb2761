import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { connect, createSecureContext, TLSSocket } from 'node:tls';

/*
 * Node takes a PKCS#12 file as it is, but then trusts every certificate in it that is not the holder's own: whoever
 * wrote the file would decide which servers are believed to be the bank. So the key and the certificates are taken out.
 */

/** The parts of a PKCS#12 file. `certificates`: the holder's own, and its issuers' as far as the file has them. */
export type Pkcs12Parts = { readonly key: KeyObject; readonly certificates: readonly X509Certificate[] };

/**
 * Takes the key and the certificates out of a PKCS#12 file that Node can open. Returns undefined if it keeps its key in
 * an unusual place.
 */
export async function readPkcs12(pfx: Buffer, passphrase: string): Promise<Pkcs12Parts | undefined> {
  const key = findKey(pfx, passphrase);
  return key && { key, certificates: await readCertificates(pfx, passphrase) };
}

const dataId = Buffer.from('2a864886f70d010701', 'hex');
const keyBagId = Buffer.from('2a864886f70d010c0a0101', 'hex');
const encryptedKeyBagId = Buffer.from('2a864886f70d010c0a0102', 'hex');

/** Finds the key where RFC 7292 (section 4) puts it: in a bag of a content that is not encrypted as a whole. */
function findKey(pfx: Buffer, passphrase: string): KeyObject | undefined {
  const [, contents] = childrenOf(elementAt(pfx, 0));
  for (const content of contentsOf(contents))
    for (const bag of contentsOf(content)) {
      const [id, value] = childrenOf(bag);
      const key = value && childrenOf(value)[0];
      if (id === undefined || key === undefined) continue;
      const options = { key: key.whole, format: 'der', type: 'pkcs8' } as const;
      if (id.content.equals(keyBagId)) return createPrivateKey(options);
      if (id.content.equals(encryptedKeyBagId)) return createPrivateKey({ ...options, passphrase });
    }
  return undefined;
}

/** The elements of the list that a ContentInfo of the type `data` contains as octets; none for another type. */
function contentsOf(contentInfo: Element | undefined): Element[] {
  const [id, value] = contentInfo === undefined ? [] : childrenOf(contentInfo);
  const octets = value && childrenOf(value)[0];
  if (id === undefined || octets === undefined || !id.content.equals(dataId)) return [];
  return childrenOf(elementAt(octetsOf(octets), 0));
}

/** An element of BER (ITU-T X.690). PKCS#12 files need not have the stricter form DER. */
type Element = {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
  /** Where the next element begins. */
  readonly end: number;
};

const constructedOctets = 0x24;

function elementAt(bytes: Buffer, start: number): Element {
  const tag = bytes.readUInt8(start);
  const sign = bytes.readUInt8(start + 1);
  const isIndefinite = sign === 0x80;
  const sizeLength = sign > 0x80 ? sign & 0x7f : 0;
  const contentStart = start + 2 + sizeLength;
  let contentEnd = contentStart + (sizeLength > 0 ? bytes.readUIntBE(start + 2, sizeLength) : sign);
  if (isIndefinite)
    for (contentEnd = contentStart; bytes.readUInt16BE(contentEnd) !== 0; )
      contentEnd = elementAt(bytes, contentEnd).end;
  const end = contentEnd + (isIndefinite ? 2 : 0);
  if (end > bytes.length) throw new RangeError('an element is longer than the file');
  return { tag, content: bytes.subarray(contentStart, contentEnd), whole: bytes.subarray(start, end), end };
}

function childrenOf({ content }: Element): Element[] {
  const children: Element[] = [];
  for (let at = 0; at < content.length; at = children.at(-1)?.end ?? content.length)
    children.push(elementAt(content, at));
  return children;
}

function octetsOf(element: Element): Buffer {
  return element.tag === constructedOctets
    ? Buffer.concat(childrenOf(element).map(octetsOf))
    : element.content;
}

/** The certificates may be encrypted too. Whoever is shown the file by TLS gets them open, each before its issuer's. */
async function readCertificates(pfx: Buffer, passphrase: string): Promise<X509Certificate[]> {
  const [here, there] = duplexPair();
  const secureContext = createSecureContext({ pfx, passphrase });
  const presenting = new TLSSocket(there, { isServer: true, secureContext });
  const reading = connect({ socket: here, rejectUnauthorized: false });
  try {
    await Promise.all([once(reading, 'secureConnect'), once(presenting, 'secure')]);
    const certificates: X509Certificate[] = [];
    let next = reading.getPeerX509Certificate();
    while (next !== undefined && !certificates.some(({ raw }) => next?.raw.equals(raw))) {
      certificates.push(next);
      next = next.issuerCertificate;
    }
    return certificates;
  } finally {
    reading.destroy();
    presenting.destroy();
  }
}
