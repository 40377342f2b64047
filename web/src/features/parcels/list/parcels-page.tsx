import { useNavigate } from '@tanstack/react-router'
import {
  carrierLabels,
  deliveryModeLabels,
  parcelStatusLabels,
  scopeLabels,
  serviceTypeLabels,
  statusLabel,
} from '@waybill/contract/ground/enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status-look'
import { exportParcels, listParcels, parcelCountLimits, parcelTabs } from '@waybill/contract/parcels/list'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Mono, Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useSession } from '../../../lib/session.ts'
import { usePrintNotes } from '../labels/shared/print-notes.tsx'
import { AlsoFound } from '../new-parcel/also-found.tsx'
import { CancelParcels } from './cancel-parcels.tsx'
import { ParcelFilters, parcelFilterNames } from './parcel-filters.tsx'

/** Every parcel of the account, by tabs with counts, searched by number, name, phone or reference. */
export function ParcelsPage() {
  const t = useT()
  const navigate = useNavigate()
  const label = useLabel()
  const language = useLanguage()
  const format = useFormat()
  const mayCreate = useSession((state) => state.auth.permissions.includes('parcels.create'))
  const list = useList(listParcels, { filters: parcelFilterNames, defaultSort: '-createdAt' })
  const counts = list.result.data?.counts
  const notes = usePrintNotes()
  const [cancelling, setCancelling] = useState<readonly Parcel[]>([])
  const create = mayCreate && (
    <ButtonLink to="/parcels/new" variant="filled">
      {t('actions.new')}
    </ButtonLink>
  )
  // What is not the usual way: abroad, or with another carrier.
  const howElse = (row: Parcel) => [
    ...(row.scope === 'international' ? [label(scopeLabels, row.scope)] : []),
    ...(row.carrier && row.carrier !== 'own' ? [label(carrierLabels, row.carrier)] : []),
  ]
  return (
    <>
      <PageHeader
        title={t('parcelsPage.title')}
        actions={
          <>
            <DownloadExcel endpoint={exportParcels} narrowing={list.narrowing} />
            {create}
          </>
        }
      />
      {notes.dialog}
      {typeof list.narrowing.search === 'string' && <AlsoFound search={list.narrowing.search} />}
      <DataList
        list={list}
        label={t('parcelsPage.title')}
        searchLabel={t('parcelsPage.search')}
        rowKey={(row: Parcel) => row.id}
        rowName={(row) => row.trackingNumber ?? row.receiver?.contactName ?? t('parcelsPage.draft')}
        tabs={parcelTabs.map((tab) => ({
          value: tab,
          label: t(`parcelsPage.tab.${tab}`),
          count: counts?.[tab],
          countedTo: parcelCountLimits.tab,
        }))}
        filters={<ParcelFilters list={list} />}
        countedTo={list.result.data?.more ? list.result.data.total : undefined}
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
          {
            label: t('parcelAction.repeat'),
            enabled: (rows) => rows.length === 1 && rows[0]?.allowedActions.includes('repeat') === true,
            run: ([row]) => void navigate({ to: '/parcels/new', search: { repeat: row?.id } }),
          },
        ]}
        columns={[
          {
            id: 'number',
            header: t('fields.trackingNumber'),
            card: 'title',
            cell: (row) =>
              row.trackingNumber ? (
                <Mono>
                  <TextLink to="/parcels/$id" params={{ id: row.id }}>
                    {format.trackingNumber(row.trackingNumber)}
                  </TextLink>
                  <CopyNumber value={row.trackingNumber} shown="" />
                </Mono>
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
                  <Quiet>{[row.receiver.city, row.receiver.state].filter(Boolean).join(', ')}</Quiet>
                </>
              ) : (
                <Quiet>{t('parcelsPage.missing')}</Quiet>
              ),
          },
          {
            id: 'service',
            header: t('parcelsPage.service'),
            cell: (row) => (
              <>
                {row.serviceType ? label(serviceTypeLabels, row.serviceType) : '–'}
                {row.deliveryMode && <Quiet>{label(deliveryModeLabels, row.deliveryMode)}</Quiet>}
                {howElse(row).map((word) => (
                  <Quiet key={word}>{word}</Quiet>
                ))}
              </>
            ),
          },
          {
            id: 'status',
            header: t('fields.status'),
            sort: 'status',
            cell: (row) => (
              <StatusPill
                look={parcelStatusLooks[row.status]}
                label={statusLabel(parcelStatusLabels, row.status, row.leg, language)}
              />
            ),
          },
          {
            id: 'created',
            header: t('parcelsPage.created'),
            sort: 'createdAt',
            cell: (row) => <Time at={row.createdAt} relative={false} />,
          },
          {
            id: 'updated',
            header: t('parcelsPage.updated'),
            sort: 'updatedAt',
            card: 'hidden',
            cell: (row) => <Time at={row.updatedAt} relative={false} />,
          },
          {
            id: 'price',
            header: t('parcelsPage.price'),
            align: 'end',
            cell: (row) => (
              <>
                {row.priceMinor === null ? '–' : format.money(row.priceMinor, row.currency)}
                {row.amountDueMinor > 0 && (
                  <Quiet>
                    {t('parcelsPage.dueAmount', { amount: format.money(row.amountDueMinor, row.currency) })}
                  </Quiet>
                )}
              </>
            ),
          },
        ]}
        empty={{ title: t('parcelsPage.empty'), text: t('parcelsPage.emptyHint'), action: create }}
      />
      {cancelling.length > 0 && <CancelParcels parcels={cancelling} onClose={() => setCancelling([])} />}
    </>
  )
}
