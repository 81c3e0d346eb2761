import { centsFromResponse, type StatementLine } from '@jangada/contract';
import { formatDecimal } from './csv.ts';

/** The data of the account in an OFX file, apart from its transactions. */
export type OfxAccount = {
  /** The number of the account in the file. OFX allows at most 22 characters. */
  readonly id: string;
  readonly from: Date;
  readonly until: Date;
  readonly now: Date;
  /**
   * Returns the closing balance in integer cents. Called after all lines are written, because the balance may be summed
   * from them.
   */
  readonly closingCents: () => number;
};

// OFX 1 is SGML, in which value tags have no end tag. Only ASCII is used, because readers interpret CHARSET
// differently.
const header = [
  'OFXHEADER:100',
  'DATA:OFXSGML',
  'VERSION:102',
  'SECURITY:NONE',
  'ENCODING:USASCII',
  'CHARSET:1252',
  'COMPRESSION:NONE',
  'OLDFILEUID:NONE',
  'NEWFILEUID:NONE',
];

/** Formats statement lines as OFX 1.02, for import into accounting software. */
export async function* formatOfx(
  pages: AsyncIterable<readonly StatementLine[]>,
  account: OfxAccount,
): AsyncGenerator<string> {
  // OFX includes the end of a period, and its times are whole seconds; `until` is exclusive.
  const asOf = new Date(Math.min(account.until.getTime() - 1000, account.now.getTime()));
  yield joinLines([...header, '', ...openingTags(account)]);
  for await (const lines of pages) yield joinLines(lines.flatMap(transactionOf));
  yield joinLines([
    '</BANKTRANLIST>',
    '<LEDGERBAL>',
    `<BALAMT>${formatDecimal(account.closingCents(), '.')}`,
    `<DTASOF>${timestampOf(asOf)}`,
    '</LEDGERBAL>',
    '</STMTRS>',
    '</STMTTRNRS>',
    '</BANKMSGSRSV1>',
    '</OFX>',
  ]);
}

function openingTags({ id, from, until, now }: OfxAccount): string[] {
  const okStatus = ['<STATUS>', '<CODE>0', '<SEVERITY>INFO', '</STATUS>'];
  return [
    '<OFX>',
    '<SIGNONMSGSRSV1>',
    '<SONRS>',
    ...okStatus,
    `<DTSERVER>${timestampOf(now)}`,
    '<LANGUAGE>POR',
    '</SONRS>',
    '</SIGNONMSGSRSV1>',
    '<BANKMSGSRSV1>',
    '<STMTTRNRS>',
    '<TRNUID>0',
    ...okStatus,
    '<STMTRS>',
    '<CURDEF>BRL',
    '<BANKACCTFROM>',
    '<BANKID>JANGADA',
    `<ACCTID>${id}`,
    '<ACCTTYPE>CHECKING',
    '</BANKACCTFROM>',
    '<BANKTRANLIST>',
    `<DTSTART>${timestampOf(from)}`,
    `<DTEND>${timestampOf(new Date(until.getTime() - 1000))}`,
  ];
}

function transactionOf(line: StatementLine): string[] {
  const cents = centsFromResponse(line.amount) ?? 0;
  return [
    '<STMTTRN>',
    `<TRNTYPE>${cents < 0 ? 'DEBIT' : 'CREDIT'}`,
    `<DTPOSTED>${timestampOf(new Date(line.at))}`,
    `<TRNAMT>${formatDecimal(cents, '.')}`,
    `<FITID>${toSgmlText(line.id)}`,
    `<MEMO>${toSgmlText(line.description)}`,
    '</STMTTRN>',
  ];
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Formats a time in Brasília's time zone, three hours behind UTC: `20261122153000[-3:BRT]`. */
function timestampOf(time: Date): string {
  const digits = new Date(time.getTime() - 3 * 3_600_000).toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 14)}[-3:BRT]`;
}

/** Removes accents and escapes SGML markup. */
function toSgmlText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
