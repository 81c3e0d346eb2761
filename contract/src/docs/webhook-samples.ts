import type { Samples } from './page.ts';

/** A webhook receiver in each language. It accepts only valid signatures, and needs only the standard library. */
export const receiverSamples: Samples = {
  javascript: `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false;
  const right = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64');
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

createServer(async (request, response) => {
  try {
    const body = Buffer.concat(await request.toArray()).toString(); // como chegou, antes do JSON.parse
    if (!isGenuine(request.headers, body)) return response.writeHead(400).end();
    response.writeHead(204).end();
    const event = JSON.parse(body);
    console.log(request.headers['webhook-id'], event.type, event.id, event.status);
  } catch {
    response.destroy(); // quem enviava desistiu no meio
  }
}).listen(process.env.PORT ?? 4000);`,
  python: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    right = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one, f"v1,{right}") for one in given)


class Webhooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))  # como chegou
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine:
            event = json.loads(body)
            print(self.headers["webhook-id"], event["type"], event["id"], flush=True)


HTTPServer(("", int(os.environ.get("PORT", 4000))), Webhooks).serve_forever()`,
  php: `<?php
// webhook.php — php -S localhost:4000 webhook.php
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
$body = file_get_contents('php://input'); // como chegou, antes do json_decode

$right = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
$genuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
    $genuine = $genuine || hash_equals($right, $given);
}
if (!$genuine || abs(time() - (int) $timestamp) > 300) {
    http_response_code(400);
    exit;
}

http_response_code(204);
$event = json_decode($body, true);
error_log("$id {$event['type']} {$event['id']}");`,
};
