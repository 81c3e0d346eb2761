/** Why the password is asked for before a key is shown or made. */
export const KEY_REASON =
  'A chave dá acesso às suas cobranças. Por isso pedimos a senha antes de mostrá-la ou trocá-la.';
