import type { SampleLanguage, Samples } from '@jangada/contract/docs';

/** The languages, in the order shown; a copy of the contract's list, whose module is too large for pages. */
const languages: readonly (readonly [SampleLanguage, string])[] = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
  ['php', 'PHP'],
];

/** One choice for all samples of the page, made of radio buttons so that it works without a script. */
export function LanguageChoice() {
  return (
    <fieldset>
      <legend className="sr-only">Linguagem dos exemplos</legend>
      <div className="flex min-h-9 w-fit flex-wrap rounded-field border border-base-300 bg-base-200 p-0.5">
        {languages.map(([language, name], at) => (
          <label
            key={language}
            className="flex cursor-pointer items-center rounded-[0.25rem] border border-transparent px-2 font-medium text-muted sm:px-2.5 has-checked:border-base-300 has-checked:bg-raised has-checked:text-base-content has-focus-visible:outline-2 has-focus-visible:outline-primary"
          >
            <input
              type="radio"
              name="docs-language"
              value={language}
              id={`language-${language}`}
              defaultChecked={at === 0}
              className="sr-only"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const shownWhen: Readonly<Record<SampleLanguage, string>> = {
  curl: 'group-has-[#language-curl:checked]/docs:block',
  javascript: 'group-has-[#language-javascript:checked]/docs:block',
  python: 'group-has-[#language-python:checked]/docs:block',
  php: 'group-has-[#language-php:checked]/docs:block',
};

/** A sample in the chosen language; JavaScript where there is none for curl. */
export function SampleBlock({ label, samples }: { label: string; samples: Samples }) {
  return (
    <Frame label={label}>
      {languages.map(([language]) => {
        const code = samples[language];
        if (code === undefined) return null;
        const stands = language === 'javascript' && samples.curl === undefined ? ` ${shownWhen.curl}` : '';
        return (
          <div key={language} className={`hidden ${shownWhen[language]}${stands}`}>
            <Lines code={code} language={language} />
          </div>
        );
      })}
    </Frame>
  );
}

export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <Frame label={label}>
      <Lines code={code} language="json" />
    </Frame>
  );
}

function Frame({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <figure className="overflow-hidden rounded-box border border-base-300 bg-base-200" data-block="">
      <figcaption className="flex min-h-10 items-center justify-between gap-2 border-b border-base-300 pr-1.5 pl-4 font-mono text-xs text-muted">
        <span className="wrap-anywhere">{label}</span>
        {/* Hidden until the page's script has loaded, because it does nothing without it. */}
        <button
          type="button"
          data-copy=""
          className="hidden h-7 shrink-0 rounded-field px-2.5 font-sans font-medium hover:bg-base-300 hover:text-base-content group-data-[ready]/docs:block"
        >
          <span data-copy-word="">Copiar</span>
          <span className="sr-only"> {label}</span>
        </button>
      </figcaption>
      {children}
    </figure>
  );
}

const inks: Readonly<Record<NonNullable<Token['is']>, string>> = {
  string: 'text-success',
  comment: 'text-muted',
  word: 'text-primary',
  number: 'text-warning',
};

function Lines({ code, language }: { code: string; language: string }) {
  return (
    <pre className="px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere">
      <code data-language={language}>
        {highlight(code).map(({ text, is }, at) =>
          is === undefined ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a code never move
            <span key={at} className={inks[is]}>
              {text}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}

/** A piece of code with its kind; plain text has none. */
type Token = { readonly text: string; readonly is?: 'string' | 'comment' | 'word' | 'number' };

const words =
  'const|import|from|await|async|function|return|if|not|throw|new|def|class|raise|and|or|for|in|as|with|foreach|true|false|null|exit|curl';
const pieces = new RegExp(
  [
    String.raw`(?<comment>(?<=^|\s)(?:\/\/|#) .*$)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|${'`'}[^${'`'}]*${'`'})`,
    String.raw`(?<word>\b(?:${words})\b(?!['"-]))`,
    String.raw`(?<number>\b\d+(?:\.\d+)?\b)`,
  ].join('|'),
  'gm',
);

/** Splits code into tokens. Unrecognised text stays plain; nothing is lost or added. */
export function highlight(code: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(pieces)) {
    if (match.index > end) tokens.push({ text: code.slice(end, match.index) });
    const kinds = ['comment', 'string', 'word', 'number'] as const;
    const is = kinds.find((kind) => match.groups?.[kind] !== undefined);
    tokens.push({ text: match[0], ...(is !== undefined && { is }) });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
}
