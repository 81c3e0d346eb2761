import { centsOfAnswer, type StatementLine } from '@jangada/contract';
import { decimal } from './csv.ts';

export type OfxAccount = {
  /** The merchant's account in the file, at most 22 characters. */
  readonly id: string;
  readonly from: Date;
  readonly until: Date;
  readonly now: Date;
  /** Closing balance in integer cents; called after all lines are written. */
  readonly closingCents: () => number;
};

// SGML: value tags have no end tag. ASCII only, because readers interpret CHARSET differently.
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

/** Statement lines as OFX 1.02, for import into accounting software. */
export async function* ofxOf(
  pages: AsyncIterable<readonly StatementLine[]>,
  account: OfxAccount,
): AsyncGenerator<string> {
  yield linesOf([...header, '', ...beginning(account)]);
  for await (const lines of pages) yield linesOf(lines.flatMap(transactionOf));
  yield linesOf([
    '</BANKTRANLIST>',
    '<LEDGERBAL>',
    `<BALAMT>${decimal(account.closingCents(), '.')}`,
    `<DTASOF>${momentOf(new Date(Math.min(account.until.getTime() - 1000, account.now.getTime())))}`,
    '</LEDGERBAL>',
    '</STMTRS>',
    '</STMTTRNRS>',
    '</BANKMSGSRSV1>',
    '</OFX>',
  ]);
}

function beginning({ id, from, until, now }: OfxAccount): string[] {
  const well = ['<STATUS>', '<CODE>0', '<SEVERITY>INFO', '</STATUS>'];
  return [
    '<OFX>',
    '<SIGNONMSGSRSV1>',
    '<SONRS>',
    ...well,
    `<DTSERVER>${momentOf(now)}`,
    '<LANGUAGE>POR',
    '</SONRS>',
    '</SIGNONMSGSRSV1>',
    '<BANKMSGSRSV1>',
    '<STMTTRNRS>',
    '<TRNUID>0',
    ...well,
    '<STMTRS>',
    '<CURDEF>BRL',
    '<BANKACCTFROM>',
    '<BANKID>JANGADA',
    `<ACCTID>${id}`,
    '<ACCTTYPE>CHECKING',
    '</BANKACCTFROM>',
    '<BANKTRANLIST>',
    `<DTSTART>${momentOf(from)}`,
    `<DTEND>${momentOf(new Date(until.getTime() - 1000))}`,
  ];
}

function transactionOf(line: StatementLine): string[] {
  const cents = centsOfAnswer(line.amount) ?? 0;
  return [
    '<STMTTRN>',
    `<TRNTYPE>${cents < 0 ? 'DEBIT' : 'CREDIT'}`,
    `<DTPOSTED>${momentOf(new Date(line.at))}`,
    `<TRNAMT>${decimal(cents, '.')}`,
    `<FITID>${textOf(line.id)}`,
    `<MEMO>${textOf(line.description)}`,
    '</STMTTRN>',
  ];
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}

/** In Brasília time: `20261122153000[-3:BRT]`. */
function momentOf(at: Date): string {
  const digits = new Date(at.getTime() - 3 * 3_600_000).toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 14)}[-3:BRT]`;
}

/** Strips accents and escapes SGML markup. */
function textOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
