// The API documentation as data. The web app renders it as a page, and `print-markdown.ts` as Markdown.

/** The languages of the samples, in the order in which pages show them. */
export const sampleLanguages = ['curl', 'javascript', 'python', 'php'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];
export const sampleLanguageNames: Readonly<Record<SampleLanguage, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
};

/** One sample for each language. Pages leave out a language that has none. */
export type Samples = { readonly [language in SampleLanguage]?: string };

/** One line of text, which may contain `code`, **bold** text and [links](/docs#id) as in Markdown. */
export type Line = string;

export type Field = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly text: Line;
};

export type Block =
  | { readonly kind: 'text'; readonly text: Line }
  | { readonly kind: 'note'; readonly text: Line }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly Line[] }
  | {
      readonly kind: 'table';
      readonly label: string;
      readonly head: readonly string[];
      /** One line for each cell; the first cell is the row's name. */
      readonly rows: readonly (readonly Line[])[];
      /** An anchor for each row, so that a link can lead to the row. */
      readonly rowIds?: readonly string[];
    }
  | {
      readonly kind: 'fields';
      readonly label: string;
      readonly fields: readonly Field[];
      /** Whether the fields are shown collapsed, because few readers need all of them. */
      readonly folded: boolean;
    }
  | { readonly kind: 'call'; readonly method: string; readonly path: string; readonly facts: readonly Line[] }
  | { readonly kind: 'samples'; readonly label: string; readonly samples: Samples }
  | {
      readonly kind: 'code';
      readonly label: string;
      readonly language: 'json' | 'http' | 'text';
      readonly code: string;
    };

export type Section = {
  /** The anchor id. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Samples and responses. A wide screen shows them beside the text, a narrow one after it. */
  readonly samples?: readonly Block[];
  readonly sections?: readonly Section[];
};

/** The values in the samples that depend on the reader's gateway and account. */
export type SampleValues = {
  /** The gateway's address: `https://pix.example.com`. */
  readonly address: string;
  readonly apiKey: string;
  /** Banco Sandbox's address. */
  readonly bankAddress: string;
};

/** Placeholders for a page that is built before its gateway and its reader are known. */
export const placeholderValues: SampleValues = {
  address: 'https://gateway.invalid',
  apiKey: 'SUA_CHAVE',
  bankAddress: 'https://banco-sandbox.invalid',
};

/** The default address of Banco Sandbox, for the documentation of a gateway that has no Banco Sandbox. */
export const defaultBankAddress = 'http://localhost:3001';

// Functions that create blocks

export const text = (line: Line): Block => ({ kind: 'text', text: line });
export const note = (line: Line): Block => ({ kind: 'note', text: line });
export const list = (...items: readonly Line[]): Block => ({ kind: 'list', ordered: false, items });
export const steps = (...items: readonly Line[]): Block => ({ kind: 'list', ordered: true, items });
export const table = (label: string, head: readonly string[], rows: readonly (readonly Line[])[]) => ({
  kind: 'table' as const,
  label,
  head,
  rows,
});
export const json = (label: string, value: unknown): Block => ({
  kind: 'code',
  label,
  language: 'json',
  code: JSON.stringify(value, null, 2),
});
