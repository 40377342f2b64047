import { deliveryModeLabels, parcelStatusLabels, serviceTypeLabels } from '@waybill/contract/enums'
import { listParcels, type Parcel, parcelTabs } from '@waybill/contract/parcels'
import { parcelStatusLooks } from '@waybill/contract/status-look'
import { useState } from 'react'
import { CopyNumber } from '../../components/copy-number.tsx'
import { DateField } from '../../components/form/date-field.tsx'
import { SelectField } from '../../components/form/select-field.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { useList } from '../../components/list/list-state.ts'
import { notify } from '../../components/notify.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { usePrintNotes } from '../../components/print-notes/print-notes.tsx'
import { StatusPill } from '../../components/status-pill.tsx'
import { Time } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices, useLabel } from '../../lib/labels.ts'
import { useSession } from '../../lib/session.ts'
import { CancelParcels } from './cancel-parcels.tsx'
import classes from './parcels.module.css'

const filters = ['status', 'serviceType', 'deliveryMode', 'from', 'to'] as const

/** Every parcel of the account, by tabs with counts, searched by number, name, phone or reference. */
export function ParcelsPage() {
  const t = useT()
  const label = useLabel()
  const choices = useChoices()
  const format = useFormat()
  const mayCreate = useSession((state) => state.auth.permissions.includes('parcels.create'))
  const list = useList(listParcels, { filters, defaultSort: '-createdAt' })
  const counts = list.result.data?.counts
  const notes = usePrintNotes()
  const [cancelling, setCancelling] = useState<readonly Parcel[]>([])
  const create = mayCreate && (
    <ButtonLink to="/parcels/new" variant="filled">
      {t('actions.new')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title={t('parcelsPage.title')} actions={create} />
      {notes.dialog}
      <DataList
        list={list}
        label={t('parcelsPage.title')}
        searchLabel={t('parcelsPage.search')}
        rowKey={(row: Parcel) => row.id}
        rowName={(row) => row.trackingNumber ?? row.receiver?.contactName ?? t('parcelsPage.draft')}
        tabs={parcelTabs.map((tab) => ({ value: tab, label: t(`parcelsPage.tab.${tab}`), count: counts?.[tab] }))}
        filters={
          <>
            <SelectField field={list.filter('status')} choices={choices(parcelStatusLabels)} />
            <SelectField field={list.filter('serviceType')} choices={choices(serviceTypeLabels)} />
            <SelectField field={list.filter('deliveryMode')} choices={choices(deliveryModeLabels)} />
            <DateField field={list.filter('from')} />
            <DateField field={list.filter('to')} />
          </>
        }
        bulkActions={[
          {
            label: t('cancelParcel.bulk'),
            run: (rows) => {
              const open = rows.filter((row) => row.allowedActions.includes('cancel'))
              if (open.length === 0) {
                notify.warning(t('cancelParcel.bulkNone'))
                return
              }
              if (open.length < rows.length) {
                notify.info(t('cancelParcel.bulkSome', { count: rows.length - open.length }))
              }
              setCancelling(open)
            },
          },
          {
            label: t('parcelAction.print_note'),
            run: (rows) => {
              const printable = rows.filter((row) => row.allowedActions.includes('print_note'))
              if (printable.length === 0) {
                notify.warning(t('parcelsPage.noNotes'))
                return
              }
              notes.ask(printable.map((row) => row.id))
              if (printable.length < rows.length) {
                notify.info(t('parcelsPage.someNotes', { count: rows.length - printable.length }))
              }
            },
          },
        ]}
        columns={[
          {
            id: 'number',
            header: t('fields.trackingNumber'),
            card: 'title',
            cell: (row) =>
              row.trackingNumber ? (
                <span className={classes.number}>
                  <TextLink to="/parcels/$id" params={{ id: row.id }}>
                    {format.trackingNumber(row.trackingNumber)}
                  </TextLink>
                  <CopyNumber value={row.trackingNumber} shown="" />
                </span>
              ) : (
                <TextLink to="/parcels/$id" params={{ id: row.id }}>
                  {row.reference ?? t('parcelsPage.draft')}
                </TextLink>
              ),
          },
          {
            id: 'receiver',
            header: t('fields.receiver'),
            sort: 'receiverName',
            cell: (row) =>
              row.receiver ? (
                <>
                  {row.receiver.contactName}
                  <span className={classes.quiet}>
                    {[row.receiver.city, row.receiver.state].filter(Boolean).join(', ')}
                  </span>
                </>
              ) : (
                <span className={classes.quiet}>{t('parcelsPage.missing')}</span>
              ),
          },
          {
            id: 'service',
            header: t('parcelsPage.service'),
            cell: (row) => (
              <>
                {row.serviceType ? label(serviceTypeLabels, row.serviceType) : '–'}
                {row.deliveryMode && (
                  <span className={classes.quiet}>{label(deliveryModeLabels, row.deliveryMode)}</span>
                )}
              </>
            ),
          },
          {
            id: 'status',
            header: t('fields.status'),
            sort: 'status',
            cell: (row) => (
              <StatusPill look={parcelStatusLooks[row.status]} label={label(parcelStatusLabels, row.status)} />
            ),
          },
          {
            id: 'created',
            header: t('parcelsPage.created'),
            sort: 'createdAt',
            cell: (row) => <Time at={row.createdAt} relative={false} />,
          },
          {
            id: 'price',
            header: t('parcelsPage.price'),
            align: 'end',
            cell: (row) => (row.priceMinor === null ? '–' : format.money(row.priceMinor, row.currency)),
          },
        ]}
        empty={{ title: t('parcelsPage.empty'), text: t('parcelsPage.emptyHint'), action: create }}
      />
      {cancelling.length > 0 && <CancelParcels parcels={cancelling} onClose={() => setCancelling([])} />}
    </>
  )
}
