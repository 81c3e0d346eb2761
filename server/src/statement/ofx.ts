import { centsOfAnswer, type StatementLine } from '@jangada/contract';
import { decimal } from './csv.ts';

export type OfxAccount = {
  /** At most 22 characters: the account of the merchant that the file speaks of. */
  readonly id: string;
  readonly from: Date;
  readonly until: Date;
  readonly now: Date;
  /** At the end, in integer cents; asked when all lines were written. */
  readonly closingCents: () => number;
};

// Of an SGML file each tag of a value has no end; ASCII only, since readers differ in what they make of CHARSET.
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

/** The lines of a statement as OFX 1.02, which accounting programs take in. */
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

/** In the time of Brasília: `20261122153000[-3:BRT]`. */
function momentOf(at: Date): string {
  const digits = new Date(at.getTime() - 3 * 3_600_000).toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 14)}[-3:BRT]`;
}

/** Without accents, and with what SGML would read as a tag written out. */
function textOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
