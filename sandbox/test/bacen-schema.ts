import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { patchedAutomaticSchemas } from './bacen-patches.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(JSON.parse(readFileSync(new URL('./bacen-schemas.json', import.meta.url), 'utf8')), 'bacen');
ajv.addSchema(patchedAutomaticSchemas(), 'bacen-automatic');

/** Returns how a response violates a schema of BACEN's specification; empty if it does not. */
export function findSchemaViolations(name: string, response: unknown): string[] {
  const validate: ValidateFunction | undefined =
    ajv.getSchema(`bacen#/$defs/${name}`) ?? ajv.getSchema(`bacen-automatic#/$defs/${name}`);
  if (validate === undefined) throw new Error(`No schema ${name}`);
  validate(response);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}
