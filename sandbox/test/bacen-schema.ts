import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(JSON.parse(readFileSync(new URL('./bacen-schemas.json', import.meta.url), 'utf8')), 'bacen');

/** Violations of a schema of BACEN's specification in a response; empty if there are none. */
export function findBreaches(name: string, answer: unknown): string[] {
  const validate: ValidateFunction | undefined = ajv.getSchema(`bacen#/$defs/${name}`);
  if (validate === undefined) throw new Error(`No schema ${name}`);
  validate(answer);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}
