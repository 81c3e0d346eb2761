import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** The contents of a certificate (RFC 5280). Its serial number is random. */
export interface CertificateContent {
  readonly subject: CertificateName;
  readonly issuer: CertificateName;
  readonly publicKey: KeyObject;
  readonly validFrom: Date;
  /** Before 2050, from which year on the standard demands another form. */
  readonly validUntil: Date;
  readonly usage: CertificateUsage;
}

export interface CertificateName {
  readonly commonName: string;
  readonly organization?: string;
}

export type CertificateUsage =
  | { readonly kind: 'authority' | 'client' }
  /** `hosts` are names and IPv4 addresses. */
  | { readonly kind: 'server'; readonly hosts: readonly string[] };

/** Returns a certificate as PEM, signed with the issuer's key on the curve P-256. */
export function signCertificate(content: CertificateContent, issuerKey: KeyObject): string {
  const { subject, issuer, publicKey, validFrom, validUntil, usage } = content;
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(randomSerial()),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(utcTime(validFrom), utcTime(validUntil)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension(SUBJECT_KEY_ID, der(0x04, keyId(publicKey))),
        extension(AUTHORITY_KEY_ID, sequence(der(0x80, keyId(createPublicKey(issuerKey))))),
        ...extensionsOf(usage),
      ),
    ),
  );
  const signature = bitString(0, sign('sha256', toBeSigned, issuerKey));
  const base64 = sequence(toBeSigned, ECDSA_WITH_SHA256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

/** Sixteen bytes whose first bits make them a positive number in its shortest form. */
function randomSerial(): Buffer {
  const serial = randomBytes(16);
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  return serial;
}

function nameOf({ commonName, organization }: CertificateName): Buffer {
  const parts = [nameAttribute('550403', commonName)];
  if (organization !== undefined) parts.unshift(nameAttribute('55040a', organization));
  return sequence(...parts);
}

/** The standard allows 64 characters. */
function nameAttribute(id: string, text: string): Buffer {
  return der(0x31, sequence(oid(id), der(0x0c, Buffer.from([...text].slice(0, 64).join('')))));
}

/** The id of a key on the curve P-256: the hash of its point, with which its encoding ends. */
function keyId(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}

function extensionsOf(usage: CertificateUsage): Buffer[] {
  if (usage.kind === 'authority') {
    return [
      extension(BASIC_CONSTRAINTS, sequence(TRUE), 'critical'),
      extension(KEY_USAGE, bitString(1, Buffer.of(0x06)), 'critical'),
    ];
  }
  const extensions = [
    extension(KEY_USAGE, bitString(7, Buffer.of(0x80)), 'critical'),
    extension(EXTENDED_KEY_USAGE, sequence(usage.kind === 'client' ? CLIENT_AUTH : SERVER_AUTH)),
  ];
  if (usage.kind === 'server')
    extensions.push(extension(SUBJECT_ALTERNATIVE_NAME, sequence(...usage.hosts.map(alternativeName))));
  return extensions;
}

function alternativeName(host: string): Buffer {
  return isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
}

function extension(id: Buffer, value: Buffer, critical?: 'critical'): Buffer {
  return sequence(id, ...(critical === undefined ? [] : [TRUE]), der(0x04, value));
}

// The part of ASN.1 DER (ITU-T X.690) that a certificate needs.
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** The bytes must be those of a positive number, without leading zeros. */
function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function bitString(unusedBits: number, bytes: Buffer): Buffer {
  return der(0x03, Buffer.of(unusedBits), bytes);
}

/** Formats a time as `YYMMDDhhmmssZ`. */
function utcTime(time: Date): Buffer {
  return der(0x17, Buffer.from(`${time.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}

const TRUE = der(0x01, Buffer.of(0xff));
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const SUBJECT_KEY_ID = oid('551d0e');
const AUTHORITY_KEY_ID = oid('551d23');
const BASIC_CONSTRAINTS = oid('551d13');
const KEY_USAGE = oid('551d0f');
const EXTENDED_KEY_USAGE = oid('551d25');
const SUBJECT_ALTERNATIVE_NAME = oid('551d11');
const SERVER_AUTH = oid('2b06010505070301');
const CLIENT_AUTH = oid('2b06010505070302');
