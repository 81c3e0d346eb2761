import { readFileSync } from 'node:fs';
import { customers } from './customers.ts';
import { doctor } from './doctor.ts';
import { events } from './events.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { listen } from './listen.ts';
import { login, logout } from './login.ts';
import { pay } from './pay.ts';
import { subscriptions } from './subscriptions.ts';
import { printLine } from './terminal.ts';
import { trigger } from './trigger.ts';

const commands = new Map<string, (args: readonly string[]) => Promise<void>>(
  Object.entries({ login, logout, listen, trigger, pay, events, customers, subscriptions, doctor }),
);

/** Runs the command typed after `jangada`. Throws CommandFailure with the message to show. */
export async function run([command, ...args]: readonly string[]): Promise<void> {
  if (command === '--version' || command === '-v') return printLine(version());
  if (command === undefined || ['help', '--help', '-h'].includes(command)) return printLine(helpOf(args[0]));
  const runCommand = commands.get(command);
  if (runCommand === undefined || args.includes('--help') || args.includes('-h'))
    return printLine(helpOf(command));
  await runCommand(args);
}

/** The help text of a command, or the general one. */
export function helpOf(command: string | undefined): string {
  if (command === undefined) return generalText;
  const text = Object.hasOwn(commandTexts, command) ? commandTexts[command] : undefined;
  if (text === undefined)
    throw new CommandFailure(`Não há o comando ${command}. Veja os que há: jangada help`, USAGE_EXIT_CODE);
  return text;
}

const generalText = `jangada: a Jangada na sua máquina, enquanto você integra

  jangada login                       guarda o endereço do gateway e a sua chave de API
  jangada listen --forward-to URL     leva os webhooks até a sua máquina
  jangada trigger payment.paid        faz um evento acontecer no sandbox
  jangada pay CÓDIGO                  paga um Pix no Banco Sandbox
  jangada events                      mostra o que aconteceu na conta
  jangada customers                   lista, mostra, cadastra e arquiva clientes
  jangada subscriptions               lista, mostra, cria e cancela assinaturas
  jangada doctor                      diz por que a assinatura de um webhook não confere
  jangada logout                      esquece a chave

  jangada help COMANDO                as opções de um comando
  jangada --version                   a versão

Todos aceitam --profile NOME. JANGADA_URL e JANGADA_API_KEY valem mais do que o que está guardado.`;

const commandTexts: Readonly<Record<string, string>> = {
  login: `jangada login [--url ENDEREÇO] [--key CHAVE] [--profile NOME]

Pergunta o que falta; a chave não aparece enquanto você a digita, e também pode vir pela entrada padrão.
Confere a chave, mostra o que ela pode, e guarda tudo em ~/.config/jangada/config.json, que só você lê.`,
  logout: `jangada logout [--profile NOME]

Esquece o endereço, a chave e o segredo dos webhooks de um perfil.`,
  listen: `jangada listen --forward-to URL [opções]

Envia cada evento da conta ao endereço, como o webhook que o gateway enviaria: o mesmo corpo, assinado.
Se o seu sistema não está no ar, tenta de novo por instantes e segue, dizendo como reenviar.

  --forward-to URL       localhost:4000/webhooks, ou só 4000/webhooks
  --events TIPOS         só estes, separados por vírgulas: payment.paid,payment.refunded
  --since EVENTO|now     a partir de depois deste evento; sem dizer, só o que acontecer daqui em diante
  --secret whsec_...     assina com este segredo; sem dizer, com o do perfil, que não muda
  --print-secret         só escreve o segredo, para o seu sistema
  --print-json           escreve cada evento em uma linha de JSON
  --allow-public         permite um endereço fora da sua máquina e da sua rede`,
  trigger: `jangada trigger EVENTO [--amount 25.90] [--external-id PEDIDO]

Só no sandbox. Nada é inventado: a cobrança é criada, paga, estornada ou contestada de verdade.

  payment.paid           cria uma cobrança e paga
  payment.expired        cria uma cobrança e cancela
  payment.refunded       cria, paga e estorna
  refund.failed          cria, paga, e o banco recusa um estorno de R$ 15,01
  dispute.opened         cria, paga e contesta
  dispute.closed         cria, paga, contesta, e a contestação é negada

Saques (withdrawal.*) são pedidos no painel, ou pela API a um destino salvo.`,
  pay: `jangada pay 'PIX COPIA E COLA' [--amount 25.90]
jangada pay ID_DA_COBRANÇA

Só no sandbox. --amount é para códigos sem valor, como os de balcão.`,
  events: `jangada events [--after EVENTO] [--type TIPO] [--limit 20] [--json] [--follow]
jangada events get EVENTO
jangada events resend EVENTO --forward-to URL [--secret whsec_...] [--allow-public]

Mostra os últimos eventos, ou os que vieram depois de um; --follow espera os próximos.
resend envia um evento de novo à sua máquina, com o mesmo webhook-id.`,
  customers: `jangada customers [--search TEXTO] [--external-id ID] [--archived] [--limit 20] [--json]
jangada customers show ID [--json]
jangada customers create --name NOME --document CPF [--email E-MAIL] [--phone FONE] [--note TEXTO] [--external-id ID]
jangada customers archive ID

show diz também o que o cliente deve e o que pagou, e o endereço da página dele.`,
  subscriptions: `jangada subscriptions [--status ESTADO] [--search TEXTO] [--customer ID] [--external-id ID] [--limit 20] [--json]
jangada subscriptions show ID [--json]
jangada subscriptions create --customer ID --description TEXTO --amount 99.90 --first-day 2030-01-10 [opções]
jangada subscriptions cancel ID

ESTADO: waiting, active, past_due ou ended. show diz o que enviar a quem paga, e os últimos ciclos.

  --customer ID          o cliente cadastrado; ou --name NOME e --document CPF
  --amount 99.90         o valor de cada ciclo; sem ele, o valor é variável
  --period PERÍODO       weekly, monthly (sem dizer), quarterly, semiannual ou annual
  --last-day DIA         nenhum ciclo vence depois dele
  --authorization MODO   code (sem dizer) ou pay
  --external-id ID       o seu código da assinatura`,
  doctor: `jangada doctor --headers ARQUIVO --body ARQUIVO [--endpoint ID] [--computed ASSINATURA]

Diz por que a assinatura de um webhook que chegou não confere, e como consertar. Termina com 1 se não confere.

  --headers ARQUIVO      os cabeçalhos que chegaram, um por linha: nome: valor
  --body ARQUIVO         o corpo, exatamente como chegou
  --endpoint ID          o endereço a que se destinava; sem dizer, todos os segredos da conta são tentados
  --computed ASSINATURA  a assinatura a que o seu código chegou`,
};

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
