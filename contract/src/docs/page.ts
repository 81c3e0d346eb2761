/** The API's documentation as a value: pages and Markdown are printed from it. */

/** Languages of samples, in the order in which they are offered. */
export const sampleLanguages = ['curl', 'javascript', 'python', 'php'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];
export const sampleLanguageNames: Readonly<Record<SampleLanguage, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
};

/** The same in each language; a language may be missing where it has nothing to say. */
export type Samples = { readonly [language in SampleLanguage]?: string };

/** One line of text: `code`, **strong** and [links](/docs#at) are marked as in Markdown. */
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
      /** Each cell a line; the first names the row. */
      readonly rows: readonly (readonly Line[])[];
      /** Anchors of the rows. */
      readonly rowIds?: readonly string[];
    }
  | {
      readonly kind: 'fields';
      readonly label: string;
      readonly fields: readonly Field[];
      /** What a reader seldom needs line by line, and opens. */
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
  /** The anchor. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** What is shown beside the text where there is room: samples and answers. */
  readonly beside?: readonly Block[];
  readonly sections?: readonly Section[];
};

/** What a reader's own account puts into the samples. */
export type Fill = {
  /** Where the gateway is reached: `https://pix.example.com`. */
  readonly address: string;
  readonly apiKey: string;
  /** Where Banco Sandbox is reached. */
  readonly bankAddress: string;
};

/** What stands in for a reader's own account where it is not known yet. */
export const unfilled: Fill = {
  address: 'https://gateway.invalid',
  apiKey: 'SUA_CHAVE',
  bankAddress: 'https://banco-sandbox.invalid',
};

/** Where Banco Sandbox listens unless somebody moved it: for readers of a gateway that has none. */
export const usualBankAddress = 'http://localhost:3001';

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
