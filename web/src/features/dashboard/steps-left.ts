export type SetupProgress = { createdAt: string | null; approved: boolean; hasKey: boolean; hasPin: boolean };

/** How many steps are left before the first Pix; the PIN comes after it. */
function stepsLeft({ approved, hasKey }: SetupProgress): number {
  return 1 + Number(!approved) + Number(!hasKey);
}

const numbers = ['nenhum passo', 'um passo', 'dois passos', 'três passos'];

/** `Faltam três passos para o primeiro Pix.` */
export function stepsLeftInWords(progress: SetupProgress): string {
  const left = stepsLeft(progress);
  return `${left === 1 ? 'Falta' : 'Faltam'} ${numbers[left] ?? left} para o primeiro Pix.`;
}
