import { type CodItem, codStates, listCod, printCodPayout } from '@waybill/contract/payments/cod'
import { SelectField } from '../../../components/form/select-field.tsx'
import { TextLink } from '../../../components/link.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { StatusPill } from '../../../components/status-pill.tsx'
import { Time } from '../../../components/time.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './cod.module.css'
import { OwnPayouts } from './own-payouts.tsx'

const filters = ['state'] as const

const looks = {
  owed: { tone: 'waiting', icon: 'clock' },
  paid_out: { tone: 'success', icon: 'check' },
} as const

/** What recipients paid for the sender: parcel by parcel, what is still owed, and the payouts. */
export function CodPage() {
  const t = useT()
  const format = useFormat()
  const list = useList(listCod, { filters })
  const sums = list.result.data
  return (
    <>
      <PageHeader title={t('cod.title')} description={t('cod.lead')} />
      {sums && (
        <div className={classes.cards}>
          <section className={classes.card}>
            <h2>{t('cod.owed')}</h2>
            <p className={classes.figure}>{format.money(sums.owedMinor, sums.currency)}</p>
            <p className={classes.quiet}>{t('cod.owedHint')}</p>
          </section>
          <section className={classes.card}>
            <h2>{t('cod.paidOut')}</h2>
            <p className={classes.figure}>{format.money(sums.paidOutMinor, sums.currency)}</p>
            <p className={classes.quiet}>{t('cod.paidOutHint')}</p>
          </section>
        </div>
      )}
      <OwnPayouts print={printCodPayout} />
      <h2 className={classes.heading}>{t('cod.parcels')}</h2>
      <DataList
        list={list}
        label={t('cod.parcels')}
        rowKey={(row: CodItem) => row.parcelId}
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
            cell: (row) => (
              <TextLink to="/parcels/$id" params={{ id: row.parcelId }}>
                <span className={classes.mono}>{format.trackingNumber(row.trackingNumber ?? '')}</span>
              </TextLink>
            ),
          },
          { id: 'at', header: t('codDoc.collectedAt'), cell: (row) => <Time at={row.collectedAt} /> },
          {
            id: 'state',
            header: t('fields.status'),
            cell: (row) => <StatusPill look={looks[row.state]} label={t(`cod.state.${row.state}`)} />,
          },
          {
            id: 'payout',
            header: t('cod.payout'),
            cell: (row) =>
              row.payoutNumber ? (
                <>
                  <span className={classes.mono}>{row.payoutNumber}</span>
                  {row.paidOutAt && (
                    <span className={classes.quiet}>
                      <Time at={row.paidOutAt} />
                    </span>
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
            cell: (row) => format.money(row.amountMinor, row.currency),
          },
        ]}
        empty={{ title: t('cod.empty'), text: t('cod.emptyHint') }}
      />
    </>
  )
}
