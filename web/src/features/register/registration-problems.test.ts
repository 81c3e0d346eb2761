import type { RegistrationForm } from '@jangada/contract';
import { expect, test } from 'vitest';
import { registrationProblems } from './open-account.ts';

const valid: RegistrationForm = {
  username: 'marina.albuquerque',
  name: 'Marina Albuquerque',
  email: 'marina@loja.test',
  docType: 'CPF',
  document: '123.456.789-09',
  password: 'segredo-da-loja',
  confirmPassword: 'segredo-da-loja',
};

test('a valid registration has no problem', () => {
  expect(registrationProblems(valid)).toEqual({});
});

test('all missing fields are reported together', () => {
  const emptyForm = { username: '', name: '', email: '', document: '', password: '', confirmPassword: '' };
  expect(registrationProblems({ ...emptyForm, docType: 'CPF' })).toEqual({
    username: 'Nome de usuário é obrigatório',
    name: 'Nome completo é obrigatório',
    email: 'Email é obrigatório',
    document: 'CPF é obrigatório',
    password: 'A senha deve ter no mínimo 8 caracteres',
    confirmPassword: 'Confirme a senha',
  });
});

test.each<[Partial<RegistrationForm>, Partial<RegistrationForm>]>([
  [{ name: 'Marina' }, { name: 'Por favor, insira seu nome completo (nome e sobrenome)' }],
  [{ email: 'marina.loja.test' }, { email: 'Email inválido' }],
  [{ email: 'marina@loja' }, { email: 'Informe o e-mail inteiro, com o domínio, como em nome@exemplo.com' }],
  [{ password: 'curta', confirmPassword: 'curta' }, { password: 'A senha deve ter no mínimo 8 caracteres' }],
  [{ confirmPassword: 'outra-senha' }, { confirmPassword: 'As senhas não coincidem' }],
  [{ document: '123.456.789-0' }, { document: 'CPF inválido' }],
  [{ document: '123.456.789-00' }, { document: 'CPF inválido' }],
  [{ docType: 'CNPJ', document: '11.222.333/0001-80' }, { document: 'CNPJ inválido' }],
  [{ docType: 'CNPJ', document: '' }, { document: 'CNPJ é obrigatório' }],
])('%j is refused with %j', (change, problems) => {
  expect(registrationProblems({ ...valid, ...change })).toEqual(problems);
});

test('a numeric and an alphanumeric CNPJ are accepted', () => {
  expect(registrationProblems({ ...valid, docType: 'CNPJ', document: '11.222.333/0001-81' })).toEqual({});
  expect(registrationProblems({ ...valid, docType: 'CNPJ', document: '12.ABC.345/01DE-35' })).toEqual({});
});
