import { brCodeAmountToCents, isPixAmount } from './amount.ts';
import { BR_CODE_LIMITS, type BrCode, type BrCodeFields, type BrCodeIssue, PIX_GUI } from './br-code.ts';
import { crc16 } from './crc16.ts';
import { isCanonicalPixKey } from './pix-key.ts';
import { PixRefusal, type PixRefusalCode } from './pix-refusal.ts';
import { readTlv, type TlvFields } from './tlv.ts';

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Decodes a BR Code ("Pix copia e cola"). Surrounding white space is ignored. Tolerated nonconformities are listed in
 * `issues`; a code that leaves the payee or the amount ambiguous is refused with a `PixRefusal`. Runs in linear time.
 * Source: EMV QRCPS-MPM and BACEN's Manual do BR Code.
 */
export function decodeBrCode(text: string): BrCode {
  const payload = text.trim();
  checkText(payload);
  const fields = readTlv(payload);
  checkCrc(payload, fields);
  checkHeader(fields);
  // A template is a field that contains fields. Fields 26 to 51 are templates of accounts, fields 80 to 99 templates of
  // other data, such as a recurrence.
  const pix = findPixTemplate(fields, 26, 51, '00');
  if (pix === undefined) throw new PixRefusal('NO_PIX_TEMPLATE', 'No field of 26 to 51 belongs to Pix', '26');
  const recurrence = findPixTemplate(fields, 80, 99, '25');
  const additional = readTlv(fields.get('62') ?? '', '62');
  return buildBrCode(fields, pix, recurrence, additional, [
    ...(payload === text ? [] : (['SURROUNDING_WHITESPACE'] as const)),
    ...findIssues(payload, fields, pix, recurrence, additional),
  ]);
}

function checkText(payload: string): void {
  if (!payload.isWellFormed() || /\p{Cc}/u.test(payload)) {
    throw new PixRefusal('ILL_FORMED_TEXT', 'The text has control characters or broken surrogates');
  }
}

function checkCrc(payload: string, fields: TlvFields): void {
  const statedCrc = fields.get('63');
  if (statedCrc === undefined || !/^[\dA-Fa-f]{4}$/.test(statedCrc)) {
    throw new PixRefusal('CRC_MISSING', 'The code carries no CRC', '63');
  }
  if ([...fields.keys()].at(-1) !== '63') {
    throw new PixRefusal('CRC_NOT_LAST', 'The CRC is not the last field', '63');
  }
  if (statedCrc.toUpperCase() !== crc16(payload.slice(0, -4))) {
    throw new PixRefusal('CRC_MISMATCH', 'The CRC does not match the code', '63');
  }
}

function checkHeader(fields: TlvFields): void {
  if (fields.keys().next().value !== '00') {
    throw new PixRefusal('FORMAT_INDICATOR_NOT_FIRST', 'The first field is not 00', '00');
  }
  if (fields.get('00') !== '01') {
    throw new PixRefusal('FORMAT_INDICATOR_VALUE', 'The format indicator is not 01', '00');
  }
  requireField(fields, '52', 'MISSING_MCC');
  if (requireField(fields, '53', 'MISSING_CURRENCY') !== '986') {
    throw new PixRefusal('CURRENCY_NOT_986', 'The currency is not the real', '53');
  }
  if (requireField(fields, '58', 'MISSING_COUNTRY') !== 'BR') {
    throw new PixRefusal('COUNTRY_NOT_BR', 'The country is not Brazil', '58');
  }
}

/** Returns the value of a field that every code must have. Throws the refusal `code` if the field is missing. */
function requireField(fields: TlvFields, id: string, code: PixRefusalCode): string {
  const value = fields.get(id);
  if (value === undefined) throw new PixRefusal(code, `The field ${id} is missing`, id);
  return value;
}

/**
 * Finds the single Pix template in a range of ids that has the field `requiredId`. A second such template is refused,
 * because it would make the payee ambiguous.
 */
function findPixTemplate(
  fields: TlvFields,
  firstId: number,
  lastId: number,
  requiredId: string,
): TlvFields | undefined {
  const templates: TlvFields[] = [];
  for (const [id, value] of fields) {
    if (Number(id) < firstId || Number(id) > lastId) continue;
    const template = readTlv(value, id);
    if (template.get('00')?.toLowerCase() === PIX_GUI && template.has(requiredId)) templates.push(template);
  }
  if (templates.length > 1) throw new PixRefusal('DUPLICATE_PIX_TEMPLATE', 'Two templates belong to Pix');
  return templates[0];
}

function findIssues(
  payload: string,
  fields: TlvFields,
  pix: TlvFields,
  recurrence: TlvFields | undefined,
  additional: TlvFields,
): BrCodeIssue[] {
  const textOf = (id: string) => fields.get(id) ?? '';
  const txid = additional.get('05');
  const issues: [BrCodeIssue, boolean][] = [
    ['PAYLOAD_TOO_LONG', lengthOf(payload) > BR_CODE_LIMITS.payload],
    ['CRC_LOWERCASE', /[a-f]/.test(textOf('63'))],
    ['POI_VALUE', fields.has('01') && !/^1[12]$/.test(textOf('01'))],
    ['KEY_SPACE_FOR_AT', hasSpaceForAt(pix.get('01'))],
    ['INFO_NOT_ASCII', !PRINTABLE_ASCII.test(pix.get('02') ?? '')],
    ['TEMPLATE_NOT_ASCII', hasNonAsciiTemplate(fields)],
    ['URL_HAS_SCHEME', hasScheme(pix.get('25')) || hasScheme(recurrence?.get('25'))],
    ['MCC_FORMAT', !/^\d{4}$/.test(textOf('52'))],
    ['AMOUNT_FORMAT', fields.has('54') && !isPixAmount(textOf('54'))],
    ['NAME_TOO_LONG', lengthOf(textOf('59')) > BR_CODE_LIMITS.name],
    ['NAME_NOT_ASCII', !PRINTABLE_ASCII.test(textOf('59'))],
    ['CITY_TOO_LONG', lengthOf(textOf('60')) > BR_CODE_LIMITS.city],
    ['CITY_NOT_ASCII', !PRINTABLE_ASCII.test(textOf('60'))],
    ['CEP_FORMAT', fields.has('61') && !/^\d{8}$/.test(textOf('61'))],
    ['MISSING_62', !fields.has('62')],
    ['MISSING_62_05', fields.has('62') && txid === undefined],
    ['TXID_CHARSET', txid !== undefined && !/^(\*{3}|[\dA-Za-z]+)$/.test(txid)],
    ['TXID_TOO_LONG', lengthOf(txid ?? '') > 25],
  ];
  return issues.filter(([, isPresent]) => isPresent).map(([issue]) => issue);
}

/**
 * Whether a template has an identifier (field 00) outside ASCII. Such a template may be the Pix template, altered such
 * that the CRC still matches.
 */
function hasNonAsciiTemplate(fields: TlvFields): boolean {
  return [...fields].some(([id, value]) => {
    const number = Number(id);
    const isTemplate = (number >= 26 && number <= 51) || number >= 80;
    return isTemplate && !PRINTABLE_ASCII.test(readTlv(value, id).get('00') ?? '');
  });
}

/** Returns the length in characters, as the format counts, and not in UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function hasScheme(url: string | undefined): boolean {
  return url !== undefined && /^https?:\/\//i.test(url);
}

/**
 * Whether a key is an e-mail whose `@` was written as a space. Old codes do so, because the alphanumeric mode of a QR
 * code has no `@`. No key contains a space, so the payee is not ambiguous.
 */
function hasSpaceForAt(key: string | undefined): boolean {
  if (key === undefined || !/^[^ @]+ [^ @]+\.[a-z]+$/i.test(key)) return false;
  return isCanonicalPixKey(key.replace(' ', '@').toLowerCase());
}

/** Restores the `@` of an e-mail key that was written as a space. */
function restoreAt(key: string | undefined): string | undefined {
  return hasSpaceForAt(key) ? key?.replace(' ', '@') : key;
}

function buildBrCode(
  fields: TlvFields,
  pix: TlvFields,
  recurrence: TlvFields | undefined,
  additional: TlvFields,
  issues: readonly BrCodeIssue[],
): BrCode {
  const key = restoreAt(requireAscii(pix.get('01'), 'KEY_FORMAT', '26-01'));
  const url = requireAscii(pix.get('25'), 'URL_FORMAT', '26-25');
  const info = pix.get('02');
  const recurrenceUrl = requireAscii(recurrence?.get('25'), 'URL_FORMAT', '80-25');
  const common = { ...readCommonFields(fields, additional), issues };
  const withRecurrence = recurrenceUrl !== undefined && { recurrenceUrl };
  if (key !== undefined && url !== undefined) {
    throw new PixRefusal('KEY_AND_URL', 'The code has both a key and a location', '26');
  }
  if (key !== undefined) {
    return { kind: 'static', key, ...(info !== undefined && { info }), ...withRecurrence, ...common };
  }
  if (url !== undefined) return { kind: 'dynamic', url, ...withRecurrence, ...common };
  if (recurrenceUrl !== undefined) return { kind: 'recurrence', recurrenceUrl, ...common };
  throw new PixRefusal('NO_KEY_OR_URL', 'The code has neither a key nor a location', '26');
}

function readCommonFields(fields: TlvFields, additional: TlvFields): Omit<BrCodeFields, 'issues'> {
  const amount = fields.get('54');
  const postalCode = fields.get('61');
  const txid = additional.get('05');
  const pointOfInitiation = fields.get('01');
  return {
    merchantName: requireField(fields, '59', 'MISSING_NAME'),
    merchantCity: requireField(fields, '60', 'MISSING_CITY'),
    ...(amount !== undefined && { amountCents: brCodeAmountToCents(amount) }),
    ...(postalCode !== undefined && { postalCode }),
    ...(txid !== undefined && txid !== '***' && { txid }),
    ...((pointOfInitiation === '11' || pointOfInitiation === '12') && { pointOfInitiation }),
  };
}

function requireAscii(text: string | undefined, code: PixRefusalCode, field: string): string | undefined {
  if (text !== undefined && !PRINTABLE_ASCII.test(text)) {
    throw new PixRefusal(code, 'Keys and locations are ASCII', field);
  }
  return text;
}
