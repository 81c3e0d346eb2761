import { documentProblem, type RegistrationForm, registrationForm } from '@jangada/contract';

export type RegistrationProblems = Partial<Record<keyof RegistrationForm, string>>;

/**
 * The first sentence for each field that does not hold, in the order of the form. The schema's rules on two fields run
 * only once each field holds by itself; a form says everything at once.
 */
export function registrationProblems(values: RegistrationForm): RegistrationProblems {
  const problems: RegistrationProblems = {};
  const result = registrationForm.safeParse(values);
  for (const issue of result.error?.issues ?? []) {
    const field = fields.find((name) => name === issue.path[0]);
    if (field !== undefined) problems[field] ??= issue.message;
  }
  const document = documentProblem(values.docType, values.document);
  if (document !== undefined) problems.document = document;
  if (values.password !== values.confirmPassword) problems.confirmPassword = 'As senhas não coincidem';
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
