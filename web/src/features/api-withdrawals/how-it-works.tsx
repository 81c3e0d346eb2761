import { Code, CodeWell, Panel } from '../../ui/index.ts';

const EXAMPLE = `POST /api/withdraw
x-api-key: sua chave
idempotency-key: um id seu

{
  "amount": 10000,
  "pixKey": "maria@example.com",
  "keyType": "email"
}`;

/** What the feature does and does not do, shown before it is turned on. */
export function HowItWorks() {
  return (
    <Panel well as="aside" label="Como funciona">
      <h2 className="font-strong">Como funciona</h2>
      <ul className="mt-2 grid list-disc gap-2 pl-4 text-muted marker:text-control">
        <li>Um saque pela API não pede PIN. Quem tiver a chave pode sacar todo o saldo.</li>
        <li>O dinheiro só sai para destinos salvos aqui, com senha e PIN.</li>
        <li>Valem os mesmos limites e tarifas, e um saque por vez.</li>
        <li>Cinco PINs errados no painel bloqueiam também os saques pela API.</li>
        <li>Desligar vale na hora e não pede nada.</li>
      </ul>
      <div className="mt-4">
        <CodeWell label="Exemplo de chamada">{EXAMPLE}</CodeWell>
      </div>
      <p className="mt-2 text-xs text-muted">
        <Code className="text-base-content">amount</Code> em centavos: 10000 são R$&nbsp;100,00.
      </p>
    </Panel>
  );
}
