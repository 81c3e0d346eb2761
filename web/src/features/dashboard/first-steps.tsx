import { type DocType, type KycStatus, MIN_CHARGE_CENTS } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { kycQuery } from '../../api/queries.ts';
import { formatDate } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { SectionHeader } from '../../ui/index.ts';

/** The note of the identity step before documents are sent. It says which documents the account needs. */
const documentsNotes: Record<DocType, string> = {
  CPF: 'Três fotos, em Verificar Agora.',
  CNPJ: 'Envie os documentos da empresa ao administrador.',
};

/** The note of the identity step after documents were sent, by the status of the verification. */
const identityNotes: Partial<Record<KycStatus, string>> = {
  pending: 'Documentos em análise.',
  rejected: 'Documentos não aceitos. Envie de novo.',
  approved: 'Identidade verificada. Falta liberar a conta.',
};

type FirstStepsProps = SetupProgress & { docType: DocType; canWithdraw: boolean };

/** The steps before a new account's first payment, and before its first withdrawal. */
export function FirstSteps(props: FirstStepsProps) {
  const status = useQuery(kycQuery).data?.status;
  const { createdAt, isApproved, hasKey, hasPin, docType, canWithdraw, mustConnectBank } = props;
  const steps = [
    {
      title: 'Criar a conta',
      note: createdAt ? `Feito em ${formatDate(createdAt)}.` : 'Feito.',
      isDone: true,
    },
    {
      title: 'Verificar sua identidade',
      note: isApproved ? 'Conta aprovada.' : (identityNotes[status ?? 'none'] ?? documentsNotes[docType]),
      isDone: isApproved,
    },
    ...(mustConnectBank
      ? [
          {
            title: 'Conectar o seu banco',
            note: 'Em Banco, no menu: é na sua conta que as vendas entram.',
            isDone: false,
          },
        ]
      : []),
    {
      title: 'Gerar a chave de API',
      note: keyNote(hasKey, isApproved),
      isDone: hasKey,
    },
    {
      title: 'Criar o primeiro pagamento',
      note: `A partir de ${formatMoney(MIN_CHARGE_CENTS)}.`,
      isDone: false,
    },
    ...(canWithdraw
      ? [
          {
            title: 'Definir o PIN de saque',
            note: hasPin ? 'PIN definido.' : 'Quatro dígitos para sacar o que você receber.',
            isDone: hasPin,
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="first-steps">
      <SectionHeader id="first-steps" title="Primeiros passos" />
      <ol className="mt-1 divide-y divide-base-300 border-y border-base-300">
        {steps.map((step, index) => (
          <li key={step.title} className="flex items-center gap-4 py-3">
            {step.isDone ? (
              <span className="grid size-7 shrink-0 place-items-center rounded-full bg-success-tint text-success">
                <Check className="size-4" strokeWidth={1.75} aria-label="Feito" />
              </span>
            ) : (
              <span
                aria-hidden="true"
                className="grid size-7 shrink-0 place-items-center rounded-full border border-base-300 text-xs font-strong"
              >
                {index + 1}
              </span>
            )}
            <div>
              <p className="font-medium">{step.title}</p>
              <p className="text-muted">{step.note}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function keyNote(hasKey: boolean, isApproved: boolean): string {
  if (hasKey) return 'Chave gerada.';
  return isApproved ? 'É com ela que as cobranças são criadas.' : 'Assim que a conta for aprovada.';
}

/** Which steps of a new account are done. `createdAt` is the date of the first step, which is always done. */
type SetupProgress = {
  createdAt: string | null;
  isApproved: boolean;
  hasKey: boolean;
  hasPin: boolean;
  /** True for a merchant who is paid into an own account and has none in use. */
  mustConnectBank: boolean;
};

/** How many steps are left before the first Pix. The withdrawal PIN does not count, because receiving needs no PIN. */
function stepsLeftCount({ isApproved, hasKey, mustConnectBank }: SetupProgress): number {
  const firstChargeSteps = 1;
  return firstChargeSteps + Number(!isApproved) + Number(!hasKey) + Number(mustConnectBank);
}

const stepCountWords = ['nenhum passo', 'um passo', 'dois passos', 'três passos', 'quatro passos'];

/** How many steps are left, in words: `Faltam três passos para o primeiro Pix.` */
export function stepsLeftInWords(progress: SetupProgress): string {
  const count = stepsLeftCount(progress);
  return `${count === 1 ? 'Falta' : 'Faltam'} ${stepCountWords[count] ?? count} para o primeiro Pix.`;
}
