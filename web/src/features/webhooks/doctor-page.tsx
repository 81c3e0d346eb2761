import { type DoctorAnswer, type WebhookEndpoint, webhookDoctor } from '@jangada/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText, failureText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { Link, useSearch } from '../../navigation/index.ts';
import {
  Button,
  Code,
  CodeWell,
  Glyph,
  LoadingRegion,
  Notice,
  SelectField,
  Skeleton,
  TextArea,
  TextField,
} from '../../ui/index.ts';
import { headerLines, urlWithoutScheme } from './delivery-words.ts';
import { doctorSearchFrom } from './webhook-search.ts';
import { WebhooksHeader } from './webhook-tabs.tsx';
import { deliveryQuery, endpointsQuery } from './webhooks-queries.ts';

/** The fields of the form. `computed` is the signature that the merchant's own code computed; it may be empty. */
type Draft = { endpoint: string; headers: string; body: string; computed: string };
const emptyDraft: Draft = { endpoint: '', headers: '', body: '', computed: '' };

/**
 * The *Doutor de webhooks*: the merchant pastes the headers and body that their server received, and learns why the
 * signature does not verify. The URL may name a delivery or an endpoint to start with.
 */
export function DoctorPage() {
  const { delivery, endpoint = '' } = useSearch(doctorSearchFrom);
  return (
    <>
      <WebhooksHeader sentence="Por que a assinatura não confere: cole o que chegou, e o Doutor diz." />
      {delivery === undefined ? (
        <DoctorForm key={endpoint} initialDraft={{ ...emptyDraft, endpoint }} />
      ) : (
        <DeliveryDoctorForm key={delivery} id={delivery} />
      )}
    </>
  );
}

/** The form, filled in with the headers and body of a delivery as we sent them. */
function DeliveryDoctorForm({ id }: { id: string }) {
  const delivery = useQuery(deliveryQuery(id));
  const { data } = delivery;
  if (data !== undefined)
    return (
      <DoctorForm
        isFilledIn
        initialDraft={{
          endpoint: data.endpoint_id ?? '',
          headers: headerLines(data.log.at(-1)?.headers ?? {}),
          body: data.body ?? '',
          computed: '',
        }}
      />
    );
  return delivery.isError ? (
    <>
      <Notice tone="error" className="mb-5">
        {errorText(delivery.error, 'Erro ao buscar a entrega. Cole você mesmo o que chegou.')}
      </Notice>
      <DoctorForm initialDraft={emptyDraft} />
    </>
  ) : (
    <LoadingRegion>
      <Skeleton className="h-10.5 w-full max-w-136" />
      <Skeleton className="mt-5 h-40 w-full max-w-136" />
      <Skeleton className="mt-5 h-40 w-full max-w-136" />
    </LoadingRegion>
  );
}

type DoctorFormProps = {
  initialDraft: Draft;
  /**
   * True when the form starts with the headers and body that we sent. The merchant then replaces them with those
   * received.
   */
  isFilledIn?: boolean;
};

/** The doctor's form. Beside it stand instructions, which the diagnosis replaces once there is one. */
function DoctorForm({ initialDraft, isFilledIn = false }: DoctorFormProps) {
  const [draft, setDraft] = useState(initialDraft);
  const [problem, setProblem] = useState<string>();
  const endpoints = useQuery(endpointsQuery).data?.endpoints ?? [];
  // The endpoint of the delivery may have been removed. Without an endpoint the gateway tries every secret of the
  // account.
  const endpoint = endpoints.some(({ id }) => id === draft.endpoint) ? draft.endpoint : '';
  const heading = useRef<HTMLHeadingElement>(null);
  const diagnosis = useDiagnosis();
  const change = (fields: Partial<Draft>) => {
    setDraft((previous) => ({ ...previous, ...fields }));
    if (fields.headers !== undefined) setProblem(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.headers.trim() === '') return setProblem('Cole os cabeçalhos do aviso que chegou.');
    diagnosis.mutate({ ...draft, endpoint });
  };
  const { data, error } = diagnosis;
  useEffect(() => {
    if (data !== undefined) heading.current?.focus();
  }, [data]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
      <form noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {isFilledIn && (
          <p className="text-muted">
            Isto foi o que enviamos. Para o Doutor comparar, ponha aqui o que <em>chegou</em> ao seu código,
            ou a assinatura que ele calculou.
          </p>
        )}
        <ReceivedFields
          endpoints={endpoints}
          endpoint={endpoint}
          onChange={change}
          draft={draft}
          problem={problem}
        />
        {error !== null && (
          <Notice tone="error">
            {error instanceof UnsupportedCallError
              ? 'Este provedor não tem o Doutor.'
              : failureText(error, 'O que você colou continua aqui.')}
          </Notice>
        )}
        <div>
          <Button
            type="submit"
            variant="primary"
            className="max-md:w-full"
            isSending={diagnosis.isPending}
            sendingLabel="Examinando"
          >
            Examinar
          </Button>
        </div>
      </form>
      {data === undefined ? <HowTo /> : <Diagnosis result={data} heading={heading} />}
    </div>
  );
}

function useDiagnosis() {
  return useMutation({
    mutationFn: ({ endpoint, headers, body, computed }: Draft) =>
      call(webhookDoctor, {
        body: {
          headers,
          body,
          ...(endpoint !== '' && { endpoint }),
          ...(computed.trim() !== '' && { computed: computed.trim() }),
        },
      }),
  });
}

type ReceivedFieldsProps = {
  endpoints: readonly WebhookEndpoint[];
  endpoint: string;
  onChange: (fields: Partial<Draft>) => void;
  draft: Draft;
  problem: string | undefined;
};

/** The fields for the received headers and body, and for the signature that the merchant's code computed. */
function ReceivedFields({ endpoints, endpoint, onChange, draft, problem }: ReceivedFieldsProps) {
  const monospace = '[&_textarea]:font-mono [&_textarea]:text-xs [&_textarea]:leading-5';
  return (
    <>
      <SelectField
        label="Endereço"
        className="[&_select]:min-w-0 [&_select]:text-ellipsis"
        options={[
          { value: '', label: 'Não sei: tentar todos os segredos da conta' },
          ...endpoints.map(({ id, url }) => ({ value: id, label: urlWithoutScheme(url) })),
        ]}
        value={endpoint}
        onChange={(event) => onChange({ endpoint: event.currentTarget.value })}
      />
      <TextArea
        label="Cabeçalhos que chegaram"
        hint={
          <>
            Um por linha. Importam <Code>webhook-id</Code>, <Code>webhook-timestamp</Code> e{' '}
            <Code>webhook-signature</Code>.
          </>
        }
        rows={5}
        className={monospace}
        spellCheck={false}
        autoCapitalize="none"
        value={draft.headers}
        onChange={(event) => onChange({ headers: event.currentTarget.value })}
        error={problem}
      />
      <TextArea
        label="Corpo que chegou"
        hint="Byte por byte, antes de qualquer JSON.parse. Um espaço a mais já muda a assinatura."
        rows={8}
        className={monospace}
        spellCheck={false}
        autoCapitalize="none"
        value={draft.body}
        onChange={(event) => onChange({ body: event.currentTarget.value })}
      />
      <TextField
        label="Assinatura que o seu código calculou (opcional)"
        hint="Com ela o Doutor acha o passo que ficou errado: hex em vez de base64, segredo não decodificado, id esquecido."
        fieldClassName="[&_input]:font-mono [&_input]:text-xs"
        placeholder="v1,…"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        value={draft.computed}
        onChange={(event) => onChange({ computed: event.currentTarget.value })}
      />
    </>
  );
}

type DiagnosisProps = {
  /** `ok` is true when our signature verifies. `verdict` is the code of the most likely cause. */
  result: DoctorAnswer;
  /** The heading of the diagnosis, which gets the focus when a result arrives. */
  heading: RefObject<HTMLHeadingElement | null>;
};

function Diagnosis({ result: { ok, verdict, findings }, heading }: DiagnosisProps) {
  // A verdict that starts with `computed-` is about the signature that the merchant's own code computed.
  const isComputedSignatureWrong = verdict.startsWith('computed-') && verdict !== 'computed-right';
  // The most likely cause is listed first.
  const rank = (code: string) => (code === verdict ? 0 : 1);
  const sortedFindings = findings.toSorted((a, b) => rank(a.code) - rank(b.code));
  return (
    <section aria-labelledby="diagnosis">
      <h2
        id="diagnosis"
        ref={heading}
        tabIndex={-1}
        className="flex items-center gap-2.5 text-base font-strong outline-none"
      >
        <Glyph name={ok && !isComputedSignatureWrong ? 'done' : 'failed'} className="size-5 shrink-0" />
        {diagnosisTitle(ok, isComputedSignatureWrong)}
      </h2>
      {ok && findings.length === 0 && (
        <p className="mt-2 text-muted">Um verificador certo aceita este aviso agora.</p>
      )}
      <ol className="mt-4 divide-y divide-base-300 border-y border-base-300">
        {sortedFindings.map(({ code, message, hint }) => (
          <li key={code} className="py-4">
            <p className="font-medium wrap-anywhere">{message}</p>
            <p className="mt-1 wrap-anywhere text-muted">{hint}</p>
            <p className="mt-2 text-xs text-muted">
              <Code>{code}</Code>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function diagnosisTitle(ok: boolean, isComputedSignatureWrong: boolean): string {
  if (!ok) return 'A assinatura não confere';
  return isComputedSignatureWrong ? 'A nossa assinatura confere; a sua, não' : 'A assinatura confere';
}

const expressExample = `// Express: o corpo cru, só nesta rota
app.post('/webhooks',
  express.raw({ type: 'application/json' }),
  (req, res) => {
    console.log(req.headers, req.body.toString());
    res.sendStatus(200);
  });`;

/** Explains where to find the headers and the body to paste; shown until there is a result. */
function HowTo() {
  return (
    <section aria-labelledby="how-to" className="min-w-0">
      <h2 id="how-to" className="font-strong">
        Onde achar o que colar
      </h2>
      <p className="mt-1 text-muted">
        No registro do seu servidor, antes de o framework ler o JSON. É quase sempre ali que a assinatura se
        perde: o corpo é lido, montado de novo e já não é o mesmo.
      </p>
      <div className="mt-3">
        <CodeWell label="Exemplo em Express">{expressExample}</CodeWell>
      </div>
      <p className="mt-3 text-muted">
        Em PHP, <Code>file_get_contents('php://input')</Code>; em Python com Flask,{' '}
        <Code>request.get_data()</Code>. Ou abra uma entrega em{' '}
        <Link to={paths.webhookDeliveries} className="link">
          Entregas
        </Link>{' '}
        e leve-a ao Doutor.
      </p>
      <p className="mt-3 text-muted">Nada do que você cola é guardado.</p>
    </section>
  );
}
