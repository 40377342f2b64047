import { Button } from '@mantine/core'
import {
  exportStatements,
  getBilling,
  getConsent,
  listStatements,
  printStatement,
  type Statement,
} from '@waybill/contract/orders/monthly-billing'
import { OnlyFor } from '../../../components/access/only-for.tsx'
import { PhoneLink } from '../../../components/display/phone-link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Together, useProfileAnswer } from '../../../components/feedback/together.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Grid, Heading, Panel, Row } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Figure, Note, Notice, Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { openDocument, saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { DossierButton } from '../../parcels/dossier/shared/dossier-button.tsx'
import classes from './billing.module.css'
import { ConsentCard } from './consent-card.tsx'

const looks = {
  paid: { tone: 'success', icon: 'check' },
  open: { tone: 'waiting', icon: 'clock' },
  overdue: { tone: 'danger', icon: 'cross' },
  nothing: { tone: 'neutral', icon: 'check' },
} as const

/** Monthly billing of the company: the available credit, the credit terms, and a statement for every month. */
export function StatementsPage() {
  const t = useT()
  return (
    <OnlyFor rule="reports" title={t('billing.title')} companyOnly>
      <Statements />
    </OnlyFor>
  )
}

function Statements() {
  const t = useT()
  const format = useFormat()
  const mayConsent = useMay('corporate.owner')
  const list = useList(listStatements, { defaultSort: '-month' })
  const answers = [
    list.result,
    useProfileAnswer(),
    useCall(getBilling, {}),
    useCall(getConsent, {}, { enabled: mayConsent }),
  ]
  return (
    <>
      <PageHeader
        title={t('billing.title')}
        description={t('billing.lead')}
        actions={<DownloadExcel endpoint={exportStatements} narrowing={list.narrowing} />}
      />
      <Together answers={answers}>
        <Grid min={320}>
          <Room />
          {mayConsent && <ConsentCard />}
        </Grid>
        <Heading>{t('billing.statements')}</Heading>
        <DataList
          list={list}
          label={t('billing.statements')}
          rowKey={(row: Statement) => row.id}
          rowName={(row) => row.number}
          columns={[
            {
              id: 'month',
              header: t('statement.month'),
              card: 'title',
              phone: 'title',
              phoneCell: (row) => format.month(row.month),
              cell: (row) => (
                <>
                  {format.month(row.month)}
                  <Quiet>{row.number}</Quiet>
                </>
              ),
            },
            {
              id: 'state',
              header: t('fields.status'),
              phone: 'detailEnd',
              cell: (row) => <StatusPill look={looks[row.state]} label={t(`billing.state.${row.state}`)} />,
            },
            {
              id: 'due',
              header: t('billing.due'),
              phone: 'detail',
              phoneCell: (row) => t('billing.dueOn', { date: format.day(row.dueOn) }),
              cell: (row) => format.day(row.dueOn),
            },
            {
              id: 'charged',
              header: t('billing.charged'),
              align: 'end',
              cell: (row) => format.money(row.chargesMinor, row.currency),
            },
            {
              id: 'closing',
              header: t('billing.amountDue'),
              align: 'end',
              phone: 'end',
              phoneCell: (row) => format.money(row.unpaidMinor || row.closingMinor, row.currency),
              cell: (row) => format.money(row.closingMinor, row.currency),
            },
            {
              id: 'unpaid',
              header: t('billing.unpaid'),
              align: 'end',
              cell: (row) => format.money(row.unpaidMinor, row.currency),
            },
            {
              id: 'print',
              kind: 'actions',
              header: t('list.actions'),
              align: 'end',
              cell: (row) => <Documents row={row} />,
            },
          ]}
          empty={{ title: t('billing.empty'), text: t('billing.emptyHint') }}
        />
      </Together>
    </>
  )
}

function Documents({ row }: { row: Statement }) {
  const params = { id: row.id }
  const open = useSend(() => openDocument(printStatement, { params }))
  const save = useSend(() => saveDocument(printStatement, { params, query: { format: 'xlsx' } }))
  return (
    <Buttons as="span">
      <Button size="sm" aria-label={`PDF ${row.number}`} loading={open.pending} onClick={() => void open.send()}>
        PDF
      </Button>
      <Button size="sm" aria-label={`Excel ${row.number}`} loading={save.pending} onClick={() => void save.send()}>
        Excel
      </Button>
      <DossierButton of={{ month: row.month.slice(0, 7) }} size="sm" />
    </Buttons>
  )
}

/** The amount that may still be billed, or the reason why billing is blocked. */
function Room() {
  const t = useT()
  const format = useFormat()
  const billing = useCall(getBilling, {})
  const { data } = billing
  if (!data) return null
  const money = (minor: number) => format.money(minor, data.currency)
  const used =
    data.usedMinor < 0
      ? t('billing.paidInAdvance', { amount: money(-data.usedMinor), limit: money(data.limitMinor) })
      : t('billing.used', { used: money(data.usedMinor), limit: money(data.limitMinor) })
  return (
    <Panel aria-label={t('billing.room')} title={t('billing.room')}>
      <Figure>{money(data.availableMinor)}</Figure>
      {data.limitMinor > 0 && (
        <meter
          className={classes.meter}
          min={0}
          max={data.limitMinor}
          value={Math.max(0, Math.min(data.usedMinor, data.limitMinor))}
          aria-label={used}
        />
      )}
      <Note>{used}</Note>
      {data.memberLeftMinor !== null && <Note>{t('billing.memberLeft', { amount: money(data.memberLeftMinor) })}</Note>}
      {data.overdueMinor > 0 && (
        <Notice tone="warning">{t('billing.overdue', { amount: money(data.overdueMinor) })}</Notice>
      )}
      {data.closed && <Notice tone="warning">{t(`paymentClosed.${data.closed}`)}</Notice>}
      {data.usedMinor > 0 && <HowToPay />}
    </Panel>
  )
}

/** Companies pay by bank transfer. The settings have no bank account, so the page has the contact for its details. */
function HowToPay() {
  const t = useT()
  const deployment = useDeployment()
  if (!deployment) return null
  const { email, phone } = deployment.imprint
  return (
    <>
      <Note>{t('billing.howToPay', { company: deployment.companyName })}</Note>
      <Row>
        {email && <a href={`mailto:${email}`}>{email}</a>}
        {phone && <PhoneLink phone={phone} />}
        {!email && !phone && <a href="/public/contact">{t('legal.contact')}</a>}
      </Row>
    </>
  )
}
