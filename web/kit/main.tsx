import { centsFromText } from '@jangada/contract';
import { Plus, RefreshCw, Undo2 } from 'lucide-react';
import { type ReactNode, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Button,
  CopyButton,
  Dialog,
  Drawing,
  EmptyState,
  ErrorState,
  Facts,
  FigureCell,
  Glyph,
  type GlyphName,
  IconButton,
  Mark,
  Menu,
  MenuItem,
  MoneyField,
  Notice,
  Pagination,
  Panel,
  PasswordField,
  SegmentedControl,
  SelectField,
  StatusBadge,
  Table,
  TextField,
  Toaster,
  toast,
  toastError,
  Wordmark,
} from '../src/ui/index.ts';

// Every part side by side, for the eye. Only the development server serves this page.

const statuses: [GlyphName, string][] = [
  ['done', 'Pago'],
  ['waiting', 'Pendente'],
  ['gone', 'Expirado'],
  ['returned', 'Estornado'],
  ['failed', 'Erro'],
  ['processing', 'Processando'],
];
const rows = [
  { id: 'c81d04b7', date: '21/11/2026 14:18', net: 'R$ 85,54', gross: 'R$ 86,40' },
  { id: '5e92fa10', date: '21/11/2026 13:57', net: 'R$ 408,81', gross: 'R$ 412,90' },
];

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10">
      <h2 className="mb-4 border-b border-base-300 pb-2 text-xs font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}

function Kit() {
  const [cents, setCents] = useState<number | null>(125_000);
  const [days, setDays] = useState(30);
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState(false);
  return (
    <main className="mx-auto max-w-[1200px] px-4 pb-24 lg:px-8">
      <Part title="Marca">
        <div className="flex items-end gap-6">
          <Mark className="size-20" />
          <Mark className="size-12" />
          <Mark className="size-6" />
          <Mark className="size-4" />
          <Wordmark />
        </div>
      </Part>
      <Part title="Tipo">
        <p className="text-xl font-strong">R$ 1.284.906,53</p>
        <p className="text-lg font-strong">Todas as Transações</p>
        <p className="text-base">Copie o código e pague no seu banco.</p>
        <p>
          Cada cobrança criada no painel ou pela API. <strong className="font-strong">Valor líquido</strong>
        </p>
        <p className="text-xs text-muted">Receita bruta · 21/11/2026 14:32</p>
      </Part>
      <Part title="Status">
        <div className="flex flex-wrap gap-2">
          {statuses.map(([status, word]) => (
            <StatusBadge key={status} status={status}>
              {word}
            </StatusBadge>
          ))}
        </div>
        <div className="mt-3 flex gap-3">
          {statuses.map(([status]) => (
            <Glyph key={status} name={status} className="size-7" />
          ))}
        </div>
      </Part>
      <Part title="Botões">
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" icon={<Plus className="size-4" />}>
            Criar Pagamento
          </Button>
          <Button icon={<RefreshCw className="size-4" />}>Atualizar</Button>
          <Button variant="quiet">Cancelar</Button>
          <Button variant="danger" icon={<Undo2 className="size-4" />}>
            Estornar
          </Button>
          <Button variant="primary" isSending>
            Confirmar
          </Button>
          <Button variant="solid-danger">Revogar</Button>
          <Button disabled>Parado</Button>
          <CopyButton text="abc" label="Copiar código" />
          <CopyButton text="abc" label="Copiar ID" iconOnly />
          <Button size="small">Pequeno</Button>
          <IconButton label="Atualizar" variant="line" icon={<RefreshCw className="size-4" />} />
        </div>
      </Part>
      <Part title="Campos">
        <div className="grid gap-5 md:grid-cols-4">
          <MoneyField
            label="Valor"
            size="normal"
            cents={cents}
            onCents={setCents}
            readAmount={centsFromText}
            hint="Mínimo R$ 1,50."
          />
          <TextField label="Documento" hint="Só os números." defaultValue="123.456.789-0" />
          <TextField label="Com erro" error="O valor mínimo para saque é de R$ 5,00" defaultValue="3,00" />
          <SelectField
            label="Validade"
            options={[{ value: '1', label: '30 minutos' }]}
            hint="Depois disso o código não vale mais."
          />
          <PasswordField label="Senha" defaultValue="12345678" />
          <MoneyField
            label="Valor"
            cents={cents}
            onCents={setCents}
            readAmount={centsFromText}
            hint="Mínimo R$ 1,50."
          />
          <SegmentedControl
            label="Período"
            labelShown
            segments={[
              { value: 7, label: '7 dias' },
              { value: 30, label: '30 dias', count: 17 },
              { value: 90, label: '90 dias' },
            ]}
            value={days}
            onChange={setDays}
          />
        </div>
      </Part>
      <Part title="Avisos">
        <div className="grid gap-3">
          <Notice
            tone="warning"
            title="Verificação Pendente."
            action={<Button size="small">Verificar Agora</Button>}
          >
            Conclua a verificação de identidade para usar todos os recursos.
          </Notice>
          <Notice tone="error" title="Erro ao verificar status do PIN.">
            Tente atualizar a página.
          </Notice>
          <Notice tone="info">
            Um saque está em andamento. O próximo pode ser pedido quando ele terminar.
          </Notice>
        </div>
      </Part>
      <Part title="Toast, menu, diálogo">
        <div className="flex gap-2">
          <Button onClick={() => toast('Chave API gerada com sucesso')}>Toast</Button>
          <Button onClick={() => toastError('Falha ao copiar para a área de transferência.')}>
            Toast de erro
          </Button>
          <Button onClick={() => setOpen(true)}>Diálogo</Button>
          <Menu label="Conta" trigger={<span>MA</span>} header={<strong>Marina</strong>}>
            <MenuItem icon={<Plus className="size-4" />} onSelect={() => toast('Perfil')}>
              Perfil
            </MenuItem>
            <MenuItem icon={<Undo2 className="size-4" />} onSelect={() => toast('Sair')}>
              Sair
            </MenuItem>
          </Menu>
        </div>
        <Dialog
          open={open}
          onClose={() => setOpen(false)}
          title="Transação"
          footerStart={<Button variant="danger">Estornar</Button>}
          footer={<Button onClick={() => setOpen(false)}>Fechar</Button>}
        >
          <p className="mb-4 text-xl font-strong">R$ 412,90</p>
          <Facts
            facts={[
              { label: 'Valor bruto', value: 'R$ 412,90' },
              { label: 'Valor líquido', value: 'R$ 408,81', strong: true },
            ]}
          />
          <Button className="mt-4" onClick={() => toast('Por cima do diálogo')}>
            Toast
          </Button>
        </Dialog>
      </Part>
      <Part title="Figuras">
        <Panel flush className="md:grid md:grid-cols-3 md:divide-x max-md:divide-y divide-base-300">
          <FigureCell
            label="Receita bruta"
            figure="R$ 48.312,90"
            size="large"
            context="nos últimos 30 dias"
          />
          <FigureCell
            label="Pagos"
            glyph="done"
            figure="1.284"
            context="91,4%"
            share={0.914}
            shareColour="text-success-glyph"
            row
          />
          <FigureCell
            label="Pendentes"
            glyph="waiting"
            figure="17"
            context="1,2%"
            share={0.012}
            shareColour="text-warning-glyph"
            row
          />
        </Panel>
      </Part>
      <Part title="Desenhos">
        <div className="flex flex-wrap gap-8">
          <Drawing name="nothing-yet" />
          <Drawing name="no-result" />
          <Drawing name="failed-to-load" />
          <Drawing name="no-withdrawals" />
          <Drawing name="all-done" />
        </div>
        <EmptyState
          drawing="nothing-yet"
          title="Nada ainda"
          action={<Button variant="primary">Criar Pagamento</Button>}
        >
          Aqui ficam as cobranças que você criar.
        </EmptyState>
        <ErrorState
          title="Erro ao buscar transações"
          message="O servidor não respondeu."
          requestId="req_01"
          onRetry={() => {}}
        />
      </Part>
      <Part title="Tabela">
        {[rows, undefined].map((list) => (
          <Table
            key={String(list === undefined)}
            label="Transações"
            rows={list}
            rowKey={(row) => row.id}
            skeletonRows={2}
            columns={[
              { key: 'id', head: 'ID', cell: (row) => <code className="font-mono text-xs">{row.id}</code> },
              { key: 'date', head: 'Data', cell: (row) => row.date },
              { key: 'net', head: 'Valor líquido', cell: (row) => row.net, align: 'end', tone: 'strong' },
              { key: 'gross', head: 'Valor bruto', cell: (row) => row.gross, align: 'end', tone: 'muted' },
              { key: 'status', head: 'Status', cell: () => <StatusBadge status="done">Pago</StatusBadge> },
            ]}
            narrowRowContent={(row) => ({
              start: <StatusBadge status="done">Pago</StatusBadge>,
              startDetail: row.date,
              end: row.gross,
              endDetail: `líquido ${row.net}`,
            })}
            onOpen={() => setOpen(true)}
            openLabel="Detalhes"
          />
        ))}
        <Pagination
          page={page}
          pageCount={141}
          onPage={setPage}
          summary="Transações 1–10 de 1.405"
          shortSummary="1–10 de 1.405"
        />
      </Part>
      <Toaster />
    </main>
  );
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Kit />
    </StrictMode>,
  );
}
