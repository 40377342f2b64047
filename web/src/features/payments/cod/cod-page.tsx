import { countLimit } from '@waybill/contract/ground/paging'
import { type CodItem, codStates, exportCod, listCod, printCodPayout } from '@waybill/contract/payments/cod'
import { OnlyFor } from '../../../components/access/only-for.tsx'
import { TextLink } from '../../../components/buttons/link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Together } from '../../../components/feedback/together.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { Grid, Heading, Panel } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Figure, Mono, Note, Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { OwnPayouts, useNewestPayouts } from './own-payouts.tsx'

const filters = ['state'] as const

const looks = {
  owed: { tone: 'waiting', icon: 'clock' },
  paid_out: { tone: 'success', icon: 'check' },
} as const

/** Cash on delivery: each parcel, the amount still owed, and the payouts. */
export function CodPage() {
  const t = useT()
  return (
    <OnlyFor rule="wallet.view" title={t('cod.title')}>
      <Content />
    </OnlyFor>
  )
}

function Content() {
  const t = useT()
  const format = useFormat()
  const list = useList(listCod, { filters })
  const sums = list.result.data
  const answers = [list.result, useNewestPayouts()]
  return (
    <>
      <PageHeader title={t('cod.title')} description={t('cod.lead')} />
      <Together answers={answers}>
        {sums && (
          <Grid min={280} style={{ marginBlockEnd: 24 }}>
            <Panel gap={4} padding={20} title={t('cod.owed')}>
              <Figure>{format.money(sums.owedMinor, sums.currency)}</Figure>
              <Note>{t('cod.owedHint')}</Note>
            </Panel>
            <Panel gap={4} padding={20} title={t('cod.paidOut')}>
              <Figure>{format.money(sums.paidOutMinor, sums.currency)}</Figure>
              <Note>{t('cod.paidOutHint')}</Note>
            </Panel>
          </Grid>
        )}
        <OwnPayouts print={printCodPayout} />
        <Heading>{t('cod.parcels')}</Heading>
        <DataList
          list={list}
          label={t('cod.parcels')}
          countedTo={countLimit}
          sheet={exportCod}
          rowKey={(row: CodItem) => row.parcelId}
          rowName={(row) => format.trackingNumber(row.trackingNumber ?? '')}
          filters={
            <SelectField
              field={list.filter('state', t('fields.status'))}
              choices={codStates.map((value) => ({ value, label: t(`cod.state.${value}`) }))}
            />
          }
          columns={[
            {
              id: 'parcel',
              header: t('codDoc.parcel'),
              card: 'title',
              phone: 'title',
              cell: (row) =>
                row.trackingNumber === null ? (
                  '–'
                ) : (
                  <TextLink to="/parcels/$id" params={{ id: row.parcelId }}>
                    <Mono>{format.trackingNumber(row.trackingNumber)}</Mono>
                  </TextLink>
                ),
            },
            {
              id: 'at',
              header: t('codDoc.collectedAt'),
              phone: 'detail',
              cell: (row) => <Time at={row.collectedAt} />,
            },
            {
              id: 'state',
              header: t('fields.status'),
              phone: 'detailEnd',
              cell: (row) => <StatusPill look={looks[row.state]} label={t(`cod.state.${row.state}`)} />,
            },
            {
              id: 'payout',
              header: t('cod.payout'),
              cell: (row) =>
                row.payoutNumber ? (
                  <>
                    <Mono>{row.payoutNumber}</Mono>
                    {row.paidOutAt && (
                      <Quiet>
                        <Time at={row.paidOutAt} />
                      </Quiet>
                    )}
                  </>
                ) : (
                  '–'
                ),
            },
            {
              id: 'amount',
              header: t('codDoc.amount'),
              align: 'end',
              phone: 'end',
              cell: (row) => format.money(row.amountMinor, row.currency),
            },
          ]}
          empty={{ title: t('cod.empty'), text: t('cod.emptyHint') }}
        />
      </Together>
    </>
  )
}
