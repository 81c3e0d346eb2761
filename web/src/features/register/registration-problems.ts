import { type RegistrationForm, registrationForm } from '@jangada/contract';

export type RegistrationProblems = Partial<Record<keyof RegistrationForm, string>>;

/** The first sentence for each field that does not hold. */
export function registrationProblems(values: RegistrationForm): RegistrationProblems {
  const problems: RegistrationProblems = {};
  for (const issue of registrationForm.safeParse(values).error?.issues ?? []) {
    const field = fields.find((name) => name === issue.path[0]);
    if (field !== undefined) problems[field] ??= issue.message;
  }
  return problems;
}

/** The fields as they stand in the form. */
export const fields = [
  'username',
  'name',
  'email',
  'docType',
  'document',
  'password',
  'confirmPassword',
] as const satisfies readonly (keyof RegistrationForm)[];
