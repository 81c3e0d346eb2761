import { readFileSync } from 'node:fs';
import { z } from 'zod';

const nodeSchema = z.record(z.string(), z.unknown());

/** What is wrong in the official file about Pix Automático, each with the place and with what it is replaced by. */
const PATCHES: readonly {
  readonly why: string;
  /** The way to the wrong value, from the schema's name on. */
  readonly at: readonly (string | number)[];
  readonly replacement: unknown;
}[] = [
  {
    why: 'idRec stands beside these fields and not among them, and no schema has a field named retentativa.',
    at: ['RecBase', 'required'],
    replacement: ['calendario', 'vinculo'],
  },
  {
    why: 'The name of a required field has a stray quotation mark.',
    at: ['RecNotification', 'required'],
    replacement: ['idRec', 'status', 'atualizacao'],
  },
  {
    why: 'The bank of the payer is required beside the payer, and not in it.',
    at: ['DadosPagadorRec', 'required'],
    replacement: [],
  },
  {
    why: 'Both alternatives allow both reasons, so every object matches two of them, and none matches one alone.',
    at: ['RecEncerramento', 'properties', 'encerramento', 'oneOf', 0, 'required'],
    replacement: ['rejeicao'],
  },
  {
    why: 'As before.',
    at: ['RecEncerramento', 'properties', 'encerramento', 'oneOf', 1, 'required'],
    replacement: ['cancelamento'],
  },
  {
    why: 'As before, for a charge.',
    at: ['CobRAtualizacao', 'properties', 'encerramento', 'oneOf', 0, 'required'],
    replacement: ['cancelamento'],
  },
  {
    why: 'As before, for a charge.',
    at: ['CobRAtualizacao', 'properties', 'encerramento', 'oneOf', 1, 'required'],
    replacement: ['rejeicao'],
  },
  {
    why: 'A debtor has one name, but two alternatives that are the same.',
    at: ['RecRevisada', 'allOf', 1, 'properties', 'vinculo', 'properties', 'devedor', 'oneOf', 1],
    replacement: false,
  },
  {
    why: 'No schema has a field named pagador; the recipient is the payer.',
    at: ['SolicRecBase', 'required'],
    replacement: ['calendario', 'idRec', 'destinatario'],
  },
  {
    why: 'The mandate is named recPayload, and its example leaves it out.',
    at: ['SolicRecCompleta', 'required'],
    replacement: [],
  },
  {
    why: 'The amount is a text, and has to match objects of amounts.',
    at: ['PixAutomatico', 'properties', 'valor', 'anyOf'],
    replacement: undefined,
  },
];

/** Returns the schemas of Pix Automático, corrected by the patches, and with patterns that match as they are meant. */
export function patchedAutomaticSchemas(): Record<string, unknown> {
  const file = readFileSync(new URL('./bacen-automatic-schemas.json', import.meta.url), 'utf8');
  const document = nodeSchema.parse(JSON.parse(file, mendPattern));
  for (const { at, replacement } of PATCHES) replace(document['$defs'], at, replacement);
  return document;
}

/** The file has patterns between slashes, which no text matches, and others that match any part of a text. */
function mendPattern(name: string, value: unknown): unknown {
  if (name !== 'pattern' || typeof value !== 'string') return value;
  return `^(?:${value.replace(/^\/\^?|\$?\/$/g, '').replace(/^\^|\$$/g, '')})$`;
}

function replace(node: unknown, [name, ...rest]: readonly (string | number)[], replacement: unknown): void {
  if (name === undefined) throw new Error('A patch has no place');
  const children: Record<string, unknown> | undefined = isNode(node) ? node : undefined;
  if (children === undefined) throw new Error(`A patch finds nothing at ${name}`);
  if (rest.length > 0) replace(children[name], rest, replacement);
  else if (replacement === undefined) delete children[name];
  else children[name] = replacement;
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
