import type { AdminConnection, adminSetAddresses, BodyInput } from '@jangada/contract';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { TextField } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';

type AddressesDialogProps = {
  connection: AdminConnection;
  onSend: (body: BodyInput<typeof adminSetAddresses>) => Promise<unknown>;
  onClose: () => void;
};

type Problems = { apiUrl?: string; tokenUrl?: string };

/** Takes the addresses of a bank that the gateway does not know, as the bank's documentation gives them. */
export function AddressesDialog({ connection, onSend, onClose }: AddressesDialogProps) {
  const [apiUrl, setApiUrl] = useState(connection.api_url ?? '');
  const [tokenUrl, setTokenUrl] = useState(connection.token_url ?? '');
  const [problems, setProblems] = useState<Problems>({});
  const validate = () => {
    const found: Problems = {
      ...(!isSecureUrl(apiUrl) && { apiUrl: 'Informe o endereço da API Pix, com a versão: https://…/v2.' }),
      ...(!isSecureUrl(tokenUrl) && { tokenUrl: 'Informe o endereço do token: https://…' }),
    };
    setProblems(found);
    return Object.keys(found).length === 0;
  };
  const send = async (reason: string) => {
    try {
      await onSend({ api_url: apiUrl.trim(), token_url: tokenUrl.trim(), reason });
    } catch (error) {
      // The gateway does not say which of the two it does not admit, so both are marked.
      if (error instanceof ApiError && error.code === 'BANK_ADDRESS_NOT_ALLOWED') {
        const text = 'Um destes endereços não é permitido.';
        setProblems({ apiUrl: text, tokenUrl: text });
      }
      throw error;
    }
  };
  return (
    <ReasonDialog
      title="Endereços do banco"
      label="De onde vêm os endereços"
      hint="Por exemplo: documentação do banco, página 4. Fica no registro de auditoria."
      minLength={5}
      maxLength={500}
      tooShortError="Informe de onde vêm, com pelo menos 5 letras."
      submitLabel="Salvar endereços"
      validate={validate}
      onSend={send}
      successMessage="Endereços salvos. O lojista já pode verificar a conta."
      failure="Erro ao salvar os endereços. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        As credenciais de {connection.merchant.name} são enviadas a estes endereços. Copie-os da documentação
        do banco, nunca de uma mensagem.
      </p>
      <AddressField
        label="API Pix"
        placeholder="https://api.banco.com.br/pix/v2"
        value={apiUrl}
        error={problems.apiUrl}
        onValue={(value) => {
          setApiUrl(value);
          setProblems({});
        }}
      />
      <AddressField
        label="Token (OAuth)"
        placeholder="https://oauth.banco.com.br/token"
        value={tokenUrl}
        error={problems.tokenUrl}
        onValue={(value) => {
          setTokenUrl(value);
          setProblems({});
        }}
      />
    </ReasonDialog>
  );
}

function isSecureUrl(text: string): boolean {
  return /^https:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}

type AddressFieldProps = {
  label: string;
  placeholder: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
};

function AddressField({ onValue, ...field }: AddressFieldProps) {
  return (
    <TextField
      {...field}
      type="url"
      inputMode="url"
      maxLength={300}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}
