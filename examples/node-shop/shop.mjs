// A shop with one product: it charges by Pix, and ships what was paid, once.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Jangada, JangadaError } from '@jangada/sdk';
import { verifyWebhook } from '@jangada/sdk/webhooks';
import { findOrder, placeOrder, shipOnce } from './orders.mjs';

const { JANGADA_URL, JANGADA_API_KEY, WEBHOOK_SECRET, PORT = '4000' } = process.env;
if (!JANGADA_URL || !JANGADA_API_KEY || !WEBHOOK_SECRET) {
  console.error('Defina JANGADA_URL, JANGADA_API_KEY e WEBHOOK_SECRET: o README diz como.');
  process.exit(1);
}
const shopUrl = process.env.SHOP_URL ?? `http://localhost:${PORT}`;

const jangada = new Jangada({ baseUrl: JANGADA_URL, apiKey: JANGADA_API_KEY });
const product = { name: 'Café da serra, 250 g', price: 32.5 };
const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** Who presses twice, or reloads, sends the same order number: it is one order, and one charge. */
async function buy(request, response) {
  const order = new URLSearchParams((await read(request)).toString()).get('order') ?? '';
  if (!/^[0-9a-f-]{36}$/.test(order)) return answer(response, 400, 'Volte à loja e tente de novo.');
  // The order is written down before it can be paid.
  placeOrder(order, product);
  const payment = await jangada.payments.create(
    {
      amount: product.price,
      external_id: order,
      description: product.name,
      success_url: `${shopUrl}/orders/${order}`,
    },
    { idempotencyKey: order },
  );
  response.writeHead(303, { location: payment.checkout_url }).end();
}

/** The only place where something is shipped: nobody but the gateway can sign this. */
async function takeWebhook(request, response) {
  const payload = await read(request);
  let event;
  try {
    event = await verifyWebhook({ payload, headers: request.headers, secret: WEBHOOK_SECRET });
  } catch (error) {
    console.error(`Webhook recusado: ${error.message}`);
    return answer(response, 400, 'Assinatura inválida.');
  }
  if (event.type === 'payment.paid') ship(event.data);
  response.writeHead(204).end();
}

function ship({ external_id: id, paymentId, amount }) {
  const order = findOrder(id);
  // The account may receive for other things than this shop.
  if (order === undefined || amount !== order.price) return;
  // The same event may come more than once.
  if (shipOnce(id, paymentId)) console.log(`Enviar: ${order.name} (pedido ${id})`);
}

function showProduct(_request, response) {
  answer(
    response,
    200,
    `<h1>${product.name}</h1>
    <p>${reais.format(product.price)}</p>
    <form method="post" action="/buy">
      <input type="hidden" name="order" value="${randomUUID()}">
      <button>Comprar com Pix</button>
    </form>`,
  );
}

function showOrder(_request, response, id) {
  const order = findOrder(id);
  if (order === undefined) return answer(response, 404, 'Este pedido não existe.');
  const status = order.isShipped ? 'Pago. Seu pedido será enviado.' : 'Aguardando o pagamento.';
  answer(response, 200, `<h1>${order.name}</h1><p>${status}</p>`);
}

const routes = [
  ['GET', /^\/$/, showProduct],
  ['POST', /^\/buy$/, buy],
  ['POST', /^\/webhooks$/, takeWebhook],
  ['GET', /^\/orders\/([0-9a-f-]{36})$/, showOrder],
];

createServer(async (request, response) => {
  const [path] = (request.url ?? '').split('?');
  const [, pattern, handle] =
    routes.find(([method, way]) => method === request.method && way.test(path)) ?? [];
  if (handle === undefined) return answer(response, 404, 'Não encontrado.');
  try {
    await handle(request, response, pattern.exec(path)?.[1]);
  } catch (error) {
    // What went wrong is the shop's to repair, a wrong key too: who buys learns nothing of it.
    if (error instanceof JangadaError)
      console.error(`${error.code}: ${error.message}`, error.requestId ?? '');
    else console.error(error);
    answer(response, 503, 'Não foi possível gerar a cobrança agora. Tente de novo em instantes.');
  }
}).listen(Number(PORT), () => console.log(`Loja em ${shopUrl}`));

/** A body as it came, byte by byte: a signature is of nothing else. */
async function read(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > 65_536) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answer(response, status, content) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html>
<html lang="pt-BR">
  <meta name="viewport" content="width=device-width">
  <title>Loja de exemplo</title>
  <body style="max-width: 30rem; margin: 4rem auto; padding: 0 1rem; font: 1.125rem/1.5 system-ui">${content}</body>
</html>`);
}
