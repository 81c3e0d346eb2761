import type { CheckStep } from '@jangada/contract';
import { formatMomentForSentence } from '../calendar-day.ts';

type CheckedBank = {
  /** The version of this gateway. */
  readonly version: string;
  readonly bank: string;
  readonly hosts: readonly string[];
  readonly at: Date;
  readonly passed: boolean;
  readonly steps: readonly CheckStep[];
};

const states: Readonly<Record<CheckStep['state'], string>> = {
  waiting: 'não feito',
  running: 'não terminado',
  passed: 'passou',
  warned: 'passou com ressalva',
  failed: 'falhou',
  skipped: 'não se aplica',
  'not-run': 'não feito',
};

/**
 * Writes what a check found at a bank as Markdown, for the bank or for whoever wants to use it. Like the steps, it
 * contains no secrets.
 */
export function formatConformanceReport({ version, bank, hosts, at, passed, steps }: CheckedBank): string {
  const count = (state: CheckStep['state']) => steps.filter((step) => step.state === state).length;
  const summary = `${count('passed')} passos passaram, ${count('warned')} com ressalva, ${count('failed')} falharam, ${count('skipped')} não se aplicam, ${count('not-run')} não foram feitos.`;
  return [
    `# API Pix: conformidade de ${escapeMarkdown(bank)}`,
    `Verificado em ${formatMomentForSentence(at)} (horário de Brasília) por Jangada ${version}, em ${hosts.map(escapeMarkdown).join(' e ')}.`,
    `**${passed ? 'A conta pode ser usada.' : 'A conta não pode ser usada.'}** ${summary}`,
    ...steps.map(formatStep),
    '',
  ].join('\n\n');
}

function formatStep({ title, state, asked, answered, meaning }: CheckStep, index: number): string {
  const lines = [
    `- Perguntado: ${escapeMarkdown(asked)}`,
    ...(answered === '' ? [] : [`- Respondido: ${escapeMarkdown(answered)}`]),
    ...(meaning === '' ? [] : [`- Significa: ${escapeMarkdown(meaning)}`]),
  ];
  return `## ${index + 1}. ${escapeMarkdown(title)}: ${states[state]}\n\n${lines.join('\n')}`;
}

/** Keeps the words of a bank from becoming links, pictures or markup. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|#!]/g, '\\$&').replace(/\s+/g, ' ');
}
