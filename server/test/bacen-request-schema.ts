import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Schema = { [name: string]: unknown };
type Definitions = Record<string, Schema>;

const file = new URL('./bacen-request-schemas.json', import.meta.url);
const { $defs } = JSON.parse(readFileSync(file, 'utf8')) as { $defs: Definitions };

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/);
ajv.addFormat('uri', (text: string) => URL.canParse(text));
for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
ajv.addSchema({ $defs: closed(corrected($defs)) }, 'bacen');

/** Returns how a body violates its schema in BACEN's specification; empty if it does not. */
export function findRequestViolations(name: string, body: unknown): string[] {
  const validate = ajv.compile({ $ref: `bacen#/$defs/${name}`, unevaluatedProperties: false });
  validate(body);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}

/** Corrects the faults of the official file, all in this place. */
function corrected(schemas: Definitions): Definitions {
  const without = (name: string, ...fields: string[]) => {
    const { required, ...schema } = schemas[name] ?? {};
    const kept = (required as string[]).filter((field) => !fields.includes(field));
    return { [name]: { ...schema, required: kept } };
  };
  const all = {
    ...schemas,
    // The bank gives the idRec, and `retentativa` is defined nowhere: the field is called `politicaRetentativa`.
    ...without('RecBase', 'idRec', 'retentativa'),
    // Defined nowhere: the payer stands in `destinatario`.
    ...without('SolicRecBase', 'pagador'),
  };
  const text = JSON.stringify(all, (key, value) => {
    // Patterns are written with the slashes of JavaScript, which then have to be part of a CPF, and are not anchored.
    if (key === 'pattern') return `^(?:${String(value).replaceAll(/^\/?\^?|\$?\/?$/g, '')})$`;
    // A discount by days is also one until fixed days, and nobody can be two kinds of it.
    if (key === 'desconto') return { ...value, oneOf: undefined, anyOf: value.oneOf };
    return value;
  });
  return JSON.parse(text) as Definitions;
}

/** Lets no object have fields that no schema names: a bank ignores them, and one that is misspelt would be lost. */
function closed(schemas: Definitions): Definitions {
  const text = JSON.stringify(schemas, (key, value) =>
    key === 'properties'
      ? Object.fromEntries(
          Object.entries(value as Definitions).map(([name, schema]) => [
            name,
            { ...schema, unevaluatedProperties: false },
          ]),
        )
      : value,
  );
  return JSON.parse(text) as Definitions;
}
