import type { SampleLanguage, Samples } from '@jangada/contract/docs';

/**
 * The languages in the order shown. The list repeats the one in the contract, because importing that module would make
 * the page too large.
 */
const languages: readonly (readonly [SampleLanguage, string])[] = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
  ['php', 'PHP'],
];

/**
 * The choice of the language of all samples on the page. It is made of radio buttons and CSS, so it works without a
 * script.
 */
export function LanguageChoice() {
  return (
    <fieldset>
      <legend className="sr-only">Linguagem dos exemplos</legend>
      <div className="flex min-h-9 w-fit flex-wrap rounded-field border border-base-300 bg-base-200 p-0.5">
        {languages.map(([language, name], index) => (
          <label
            key={language}
            className="flex cursor-pointer items-center rounded-[0.25rem] border border-transparent px-2 font-medium text-muted sm:px-2.5 has-checked:border-base-300 has-checked:bg-raised has-checked:text-base-content has-focus-visible:outline-2 has-focus-visible:outline-primary"
          >
            <input
              type="radio"
              name="docs-language"
              value={language}
              id={`language-${language}`}
              defaultChecked={index === 0}
              className="sr-only"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The class that makes a sample visible while its language is selected. */
const visibleClasses: Readonly<Record<SampleLanguage, string>> = {
  curl: 'group-has-[#language-curl:checked]/docs:block',
  javascript: 'group-has-[#language-javascript:checked]/docs:block',
  python: 'group-has-[#language-python:checked]/docs:block',
  php: 'group-has-[#language-php:checked]/docs:block',
};

/** A code sample in the selected language. A sample without a curl version shows JavaScript while curl is selected. */
export function SampleBlock({ label, samples }: { label: string; samples: Samples }) {
  return (
    <CodeFrame label={label}>
      {languages.map(([language]) => {
        const code = samples[language];
        if (code === undefined) return null;
        const fallbackClass =
          language === 'javascript' && samples.curl === undefined ? ` ${visibleClasses.curl}` : '';
        return (
          <div key={language} className={`hidden ${visibleClasses[language]}${fallbackClass}`}>
            <HighlightedCode code={code} language={language} />
          </div>
        );
      })}
    </CodeFrame>
  );
}

/** A block of JSON, HTTP or plain text, which is the same in every language. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <CodeFrame label={label}>
      <HighlightedCode code={code} language="json" />
    </CodeFrame>
  );
}

function CodeFrame({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <figure className="overflow-hidden rounded-box border border-base-300 bg-base-200" data-block="">
      <figcaption className="flex min-h-10 items-center justify-between gap-2 border-b border-base-300 pr-1.5 pl-4 font-mono text-xs text-muted">
        <span className="wrap-anywhere">{label}</span>
        {/* The button is hidden until the page's script has loaded, because it does nothing without the script. */}
        <button
          type="button"
          data-copy=""
          className="hidden h-7 shrink-0 max-md:h-9 rounded-field px-2.5 font-sans font-medium hover:bg-base-300 hover:text-base-content group-data-[ready]/docs:block"
        >
          <span data-copy-word="">Copiar</span>
          <span className="sr-only"> {label}</span>
        </button>
      </figcaption>
      {children}
    </figure>
  );
}

const tokenColours: Readonly<Record<NonNullable<Token['kind']>, string>> = {
  string: 'text-success',
  comment: 'text-muted',
  keyword: 'text-primary',
  number: 'text-warning',
};

function HighlightedCode({ code, language }: { code: string; language: string }) {
  return (
    <pre className="px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere">
      <code data-language={language}>
        {highlight(code).map(({ text, kind }, index) =>
          kind === undefined ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tokens never change their order
            <span key={index} className={tokenColours[kind]}>
              {text}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}

/** A part of a code sample, with its kind for the highlighting. Plain text has no kind. */
type Token = { readonly text: string; readonly kind?: 'string' | 'comment' | 'keyword' | 'number' };

/** The keywords of all languages of the samples. */
const keywords =
  'const|import|from|await|async|function|return|if|not|throw|new|def|class|raise|and|or|for|in|as|with|foreach|true|false|null|exit|curl';
const tokenPattern = new RegExp(
  [
    String.raw`(?<comment>(?<=^|\s)(?:\/\/|#) .*$)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|${'`'}[^${'`'}]*${'`'})`,
    String.raw`(?<keyword>\b(?:${keywords})\b(?!['"-]))`,
    String.raw`(?<number>\b\d+(?:\.\d+)?\b)`,
  ].join('|'),
  'gm',
);

/**
 * Splits code into tokens for highlighting. The tokens together are the whole code; unrecognised parts become plain
 * text.
 */
export function highlight(code: string): Token[] {
  const tokens: Token[] = [];
  /** The index at which the previous token ended. */
  let end = 0;
  for (const match of code.matchAll(tokenPattern)) {
    if (match.index > end) tokens.push({ text: code.slice(end, match.index) });
    const kinds = ['comment', 'string', 'keyword', 'number'] as const;
    const kind = kinds.find((candidate) => match.groups?.[candidate] !== undefined);
    tokens.push({ text: match[0], ...(kind !== undefined && { kind }) });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
}
