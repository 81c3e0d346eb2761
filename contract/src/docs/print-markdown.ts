import { buildDocs } from './build-docs.ts';
import {
  type Block,
  defaultBankAddress,
  type Field,
  placeholderValues,
  type Samples,
  type Section,
  sampleLanguageNames,
  sampleLanguages,
} from './page.ts';

/** Prints `/llms.txt` of the gateway at `address`: the whole documentation as one Markdown file (llmstxt.org). */
export function printLlms(address: string, bankAddress: string = defaultBankAddress): string {
  return `# Jangada

> API de Pix: cobranças, estornos, saques e webhooks, em ${address}/api. Autenticação pelo cabeçalho x-api-key.

- [Documentação](${address}/docs): o mesmo que segue, como página
- [OpenAPI 3.1](${address}/api/openapi.json): cada chamada, campo e erro

${printMarkdown(buildDocs({ ...placeholderValues, address, bankAddress }), { address })}
`;
}

type MarkdownOptions = {
  /** The level of the headings of sections. Headings of subsections are one level deeper. */
  readonly level?: number;
  /** The gateway's address, which completes links to its pages. Without an address, such links become plain text. */
  readonly address?: string;
};

/** Renders sections as Markdown. */
export function printMarkdown(
  sections: readonly Section[],
  { level = 2, address }: MarkdownOptions = {},
): string {
  return sections
    .flatMap((section) => [
      `${'#'.repeat(level)} ${section.title}`,
      ...[...section.blocks, ...(section.samples ?? [])].map((block) =>
        resolveLinks(printBlock(block), address),
      ),
      ...(section.sections
        ? [printMarkdown(section.sections, { level: level + 1, ...(address !== undefined && { address }) })]
        : []),
    ])
    .join('\n\n');
}

/** A Markdown link to a page of the gateway (`/…`) or to a section (`#…`). Its text may contain brackets in `code`. */
const internalLink = /\[((?:`[^`]*`|[^\]`])+)\]\([#/][^)]*\)/g;

/** Makes internal links absolute, or replaces them with their text if the gateway's address is unknown. */
function resolveLinks(markdown: string, address: string | undefined): string {
  if (address === undefined) return markdown.replaceAll(internalLink, '$1');
  return markdown.replaceAll('](/', `](${address}/`).replaceAll('](#', `](${address}/docs#`);
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'note':
      return `> ${block.text}`;
    case 'list':
      return block.items.map((item, index) => `${block.ordered ? `${index + 1}.` : '-'} ${item}`).join('\n');
    case 'table':
      return printTable(block.head, block.rows);
    case 'fields':
      return `**${block.label}**\n\n${printTable(['campo', 'tipo', 'o que é'], block.fields.map(rowOf))}`;
    case 'call':
      return [`\`${block.method} ${block.path}\``, ...block.facts].join(' · ');
    case 'samples':
      return `**${block.label}**\n\n${printSamplesOf(block.samples)}`;
    case 'code':
      return `**${block.label}**\n\n${fenced(block.language, block.code)}`;
  }
}

function rowOf({ name, type, required, text }: Field): string[] {
  return [`\`${name}\``, required ? type : `${type}, opcional`, text];
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Prints samples in curl alone, if they include curl. The documentation page shows the other languages. */
function printSamplesOf(samples: Samples): string {
  const languages = samples.curl === undefined ? sampleLanguages : (['curl'] as const);
  return languages
    .flatMap((language) => {
      const code = samples[language];
      const fence = language === 'curl' ? 'sh' : language;
      return code === undefined ? [] : [`${sampleLanguageNames[language]}:\n\n${fenced(fence, code)}`];
    })
    .join('\n\n');
}

function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
