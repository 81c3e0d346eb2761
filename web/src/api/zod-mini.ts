/**
 * Takes the place of `zod/mini` in the browser: it reads as Zod does, in a small part of the bytes and of the work at the
 * start. The types stay those of Zod. A test compares the two for every schema of the contract; the
 * panel's own schemas are made of the same parts.
 */

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string; readonly aborts: boolean };
/** A value on its way through a schema: a step may replace it, and adds the issues that it finds. */
type Reading = { value: unknown; readonly issues: Issue[] };
type Read = (reading: Reading) => unknown;
type Check = (reading: Reading, message: string | undefined) => unknown;
/** How a schema treats an absent key: it puts a value in its place, leaves it out, or reports an error. */
type Absence = 'defaulted' | 'optional' | undefined;
type ErrorOption = string | { readonly error?: string | undefined; readonly offset?: boolean } | undefined;
type Fields = Readonly<Record<string, Schema>>;

interface Traits {
  readonly error?: ErrorOption;
  readonly checks?: readonly Check[];
  readonly shape?: Fields;
  readonly options?: readonly unknown[];
  readonly absentIn?: Absence;
  /** The result may lack the key. */
  readonly absentOut?: boolean;
}

class Schema {
  readonly traits: Traits;
  readonly #read: Read;

  constructor(read: Read, traits: Traits = {}) {
    this.#read = read;
    this.traits = traits;
  }

  get shape(): Fields | undefined {
    return this.traits.shape;
  }

  get options(): readonly unknown[] | undefined {
    return this.traits.options;
  }

  check(...checks: (Check | Schema)[]): Schema {
    const added = checks.map((check) =>
      check instanceof Schema ? (reading: Reading) => check.run(reading) : check,
    );
    return new Schema(this.#read, { ...this.traits, checks: [...(this.traits.checks ?? []), ...added] });
  }

  run(reading: Reading): Reading {
    const before = reading.issues.length;
    this.#read(reading);
    for (const check of this.traits.checks ?? []) {
      if (aborted(reading, before)) break;
      check(reading, messageOf(this.traits.error));
    }
    return reading;
  }

  safeParse(value: unknown) {
    const { value: data, issues } = this.run({ value, issues: [] });
    return issues.length === 0
      ? { success: true, data, error: undefined }
      : { success: false, data: undefined, error: new ZodError(issues) };
  }

  parse(value: unknown): unknown {
    const { data, error } = this.safeParse(value);
    if (error !== undefined) throw error;
    return data;
  }
}

class ZodError extends Error {
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
    this.name = 'ZodError';
    this.issues = issues;
  }
}

const messageOf = (option: ErrorOption) => (typeof option === 'string' ? option : option?.error);
const aborted = ({ issues }: Reading, from = 0) => issues.slice(from).some(({ aborts }) => aborts);

function fail(
  { issues }: Reading,
  message: string | undefined,
  path: readonly PropertyKey[] = [],
  aborts = true,
) {
  issues.push({ path, message: message ?? 'Invalid input', aborts });
}

/** Reads a part on its own, and reports what is wrong with it under its key. */
function readPart(whole: Reading, key: PropertyKey, schema: Schema, value: unknown): Reading {
  const part = schema.run({ value, issues: [] });
  for (const issue of part.issues) whole.issues.push({ ...issue, path: [key, ...issue.path] });
  return part;
}

// Scalars

function scalar(holds: (value: unknown) => boolean, error?: ErrorOption, traits?: Traits): Schema {
  return new Schema((reading) => holds(reading.value) || fail(reading, messageOf(error)), {
    error,
    ...traits,
  });
}

function checkThat(holds: (value: unknown) => unknown, error?: ErrorOption, path?: PropertyKey[]): Check {
  return (reading, message) =>
    holds(reading.value) || fail(reading, messageOf(error) ?? message, path, false);
}

export const string = (error?: ErrorOption) => scalar((value) => typeof value === 'string', error);
export const number = (error?: ErrorOption) => scalar(Number.isFinite, error);
export const boolean = (error?: ErrorOption) => scalar((value) => typeof value === 'boolean', error);
export const literal = (expected: unknown, error?: ErrorOption) => enumOf([expected].flat(), error);
export const unknown = () => new Schema(() => {}, { absentIn: 'optional', absentOut: true });
export const int = (error?: ErrorOption) =>
  scalar(Number.isInteger, error).check(checkThat(Number.isSafeInteger));
export const uuid = (error?: ErrorOption) =>
  string(error).check(
    regex(
      /^(?:[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i,
    ),
  );

export const base64 = (error?: ErrorOption) =>
  string(error).check(regex(/^(?:[\da-z+/]{4})*(?:[\da-z+/]{2}==|[\da-z+/]{3}=)?$/i));
export const url = (error?: ErrorOption) =>
  string(error).check((reading, message) => {
    const text = String(reading.value).trim();
    if (!URL.canParse(text)) return fail(reading, message, [], false);
    // The parser of URLs ignores these signs, so whoever reads the text later must not meet them.
    reading.value = text.replace(/[\t\n\r]/g, '');
    return undefined;
  });

function enumOf(options: readonly unknown[], error?: ErrorOption): Schema {
  return scalar((value) => options.includes(value), error, { options });
}

export { enumOf as enum };

export const coerce = {
  number: (error?: ErrorOption) => pipe(transform(Number), number(error)),
};

export const stringbool = (error?: ErrorOption) =>
  pipe(
    string(error),
    pipe(
      transform((value) => {
        const word = String(value).toLowerCase();
        if (['true', '1', 'yes', 'on', 'y', 'enabled'].includes(word)) return true;
        return ['false', '0', 'no', 'off', 'n', 'disabled'].includes(word) ? false : undefined;
      }),
      boolean(error),
    ),
  );

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(+moment) && moment.toISOString().startsWith(text);
}

export const iso = {
  date: (error?: ErrorOption) => string(error).check(checkThat((value) => isDay(String(value)))),
  datetime: (error?: ErrorOption) => {
    const offset = typeof error === 'object' && error.offset ? '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)' : 'Z';
    const format = new RegExp(`^(.{10})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?${offset}$`);
    return string(error).check(checkThat((value) => isDay(format.exec(String(value))?.[1] ?? '')));
  },
};

// Checks

const size = (value: unknown) => (value as { readonly length: number }).length;

export const minLength = (least: number, error?: ErrorOption) =>
  checkThat((value) => size(value) >= least, error);
export const maxLength = (most: number, error?: ErrorOption) =>
  checkThat((value) => size(value) <= most, error);
export const minimum = (least: number, error?: ErrorOption) =>
  checkThat((value) => Number(value) >= least, error);
export const maximum = (most: number, error?: ErrorOption) =>
  checkThat((value) => Number(value) <= most, error);
export const regex = (pattern: RegExp, error?: ErrorOption) =>
  checkThat((value) => pattern.test(String(value)), error);

export const refine = (
  holds: (value: never) => unknown,
  error?: string | { readonly error?: string; readonly path?: PropertyKey[] },
) =>
  checkThat(holds as (value: unknown) => unknown, error, typeof error === 'object' ? error.path : undefined);

export const superRefine =
  (
    report: (
      value: never,
      context: { addIssue(issue: { readonly path?: PropertyKey[]; readonly message?: string }): void },
    ) => void,
  ): Check =>
  (reading) =>
    report(reading.value as never, {
      addIssue: ({ path, message }) => fail(reading, message, path, false),
    });

const overwrite = (change: (text: string) => string) => (): Check => (reading) => {
  reading.value = change(String(reading.value));
};
export const trim = overwrite((text) => text.trim());
export const toLowerCase = overwrite((text) => text.toLowerCase());

// Schemas around a schema

export const nullable = (inner: Schema) =>
  new Schema((reading) => reading.value === null || inner.run(reading), {
    absentIn: inner.traits.absentIn,
    absentOut: inner.traits.absentOut ?? false,
  });

export const optional = (inner: Schema) => {
  const isDefaulted = inner.traits.absentIn === 'defaulted';
  return new Schema((reading) => (reading.value === undefined && !isDefaulted) || inner.run(reading), {
    absentIn: isDefaulted ? 'defaulted' : 'optional',
    absentOut: true,
  });
};

export const nullish = (inner: Schema) => optional(nullable(inner));

export const _default = (inner: Schema, substitute: unknown) =>
  new Schema(
    (reading) => {
      if (reading.value !== undefined) inner.run(reading);
      if (reading.value === undefined) reading.value = substitute;
    },
    { absentIn: 'defaulted' },
  );

function catchWith(inner: Schema, substitute: unknown): Schema {
  return new Schema(
    (reading) => {
      const { value, issues } = inner.run({ value: reading.value, issues: [] });
      if (issues.length === 0) reading.value = value;
      else
        reading.value = typeof substitute === 'function' ? substitute({ value: reading.value }) : substitute;
    },
    { absentIn: inner.traits.absentIn ?? 'optional', absentOut: inner.traits.absentOut ?? false },
  );
}

export { catchWith as catch };

export const transform = (change: (value: never) => unknown) =>
  new Schema(
    (reading) => {
      reading.value = change(reading.value as never);
    },
    { absentIn: 'optional' },
  );

export const pipe = (first: Schema, second: Schema) =>
  new Schema(
    (reading) => {
      const before = reading.issues.length;
      if (first.run(reading).issues.length === before) second.run(reading);
    },
    { absentIn: first.traits.absentIn, absentOut: second.traits.absentOut ?? false },
  );

// Schemas of several values

function readFields(
  reading: Reading,
  shape: Fields,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const output: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(shape)) {
    const { absentIn, absentOut } = schema.traits;
    const isPresent = key in input;
    if (!isPresent && absentIn === 'optional' && absentOut) continue;
    const { value, issues } = readPart(reading, key, schema, input[key]);
    if (!isPresent && absentIn === undefined) {
      if (issues.length === 0) fail(reading, undefined, [key]);
    } else if (value !== undefined || isPresent || (absentIn === 'defaulted' && !absentOut))
      output[key] = value;
  }
  return output;
}

type OtherKeys = 'left-out' | 'refused' | 'kept';
const objects =
  (otherKeys: OtherKeys) =>
  (shape: Fields, error?: ErrorOption): Schema =>
    new Schema(
      (reading) => {
        const input = reading.value;
        if (!isObject(input)) return fail(reading, messageOf(error));
        reading.value = readFields(reading, shape, input);
        const others =
          otherKeys === 'left-out' ? [] : Object.keys(input).filter((key) => !Object.hasOwn(shape, key));
        if (otherKeys === 'refused') return others.length > 0 && fail(reading, messageOf(error), [], false);
        // Assigning this key would replace the prototype.
        for (const key of others)
          if (key !== '__proto__') Object.assign(reading.value as object, { [key]: input[key] });
      },
      { error, shape },
    );
export const object = objects('left-out');
export const strictObject = objects('refused');
export const looseObject = objects('kept');
export const extend = ({ shape }: Schema, added: Fields) => object({ ...shape, ...added });
export const omit = ({ shape }: Schema, left: Readonly<Record<string, true>>) =>
  object(Object.fromEntries(Object.entries(shape ?? {}).filter(([key]) => !Object.hasOwn(left, key))));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const array = (item: Schema, error?: ErrorOption) =>
  new Schema(
    (reading) => {
      const input = reading.value;
      if (!Array.isArray(input)) return fail(reading, messageOf(error));
      reading.value = input.map((value, index) => readPart(reading, index, item, value).value);
    },
    { error },
  );

export const record = (key: Schema, item: Schema, error?: ErrorOption) =>
  new Schema(
    (reading) => {
      const input = reading.value;
      if (!isObject(input)) return fail(reading, messageOf(error));
      const keys = key.options === undefined ? Object.keys(input) : key.options.map(String);
      if (Object.keys(input).some((name) => !keys.includes(name))) fail(reading, messageOf(error), [], false);
      reading.value = Object.fromEntries(
        keys
          .filter((name) => name !== '__proto__')
          .map((name) => [name, readPart(reading, name, item, input[name]).value]),
      );
    },
    { error },
  );

export const union = (options: readonly Schema[], error?: ErrorOption) => {
  const absences = options.map(({ traits }) => traits.absentIn);
  return new Schema(
    (reading) => {
      const tried: Reading[] = [];
      for (const option of options) {
        const attempt = option.run({ value: reading.value, issues: [] });
        if (attempt.issues.length === 0) {
          reading.value = attempt.value;
          return;
        }
        tried.push(attempt);
      }
      const [nearest, ...others] = tried.filter((attempt) => !aborted(attempt));
      if (nearest !== undefined && others.length === 0) reading.issues.push(...nearest.issues);
      else fail(reading, messageOf(error));
    },
    {
      error,
      absentIn: absences.includes('defaulted')
        ? 'defaulted'
        : absences.find((absence) => absence !== undefined),
      absentOut: options.some(({ traits }) => traits.absentOut),
    },
  );
};

export const discriminatedUnion = (key: string, options: readonly Schema[]) =>
  new Schema((reading) => {
    const { value } = reading;
    if (!isObject(value)) return fail(reading, undefined);
    const option = options.find(({ shape }) => shape?.[key]?.options?.includes(value[key]));
    return option === undefined ? fail(reading, undefined, [key]) : option.run(reading);
  });
