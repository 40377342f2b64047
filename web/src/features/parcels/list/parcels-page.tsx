import { useNavigate } from '@tanstack/react-router'
import { exportParcels, listParcels, parcelCountLimits, parcelTabs } from '@waybill/contract/parcels/list'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import type { BulkAction } from '../../../components/list/bulk-bar.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import { usePrintNotes } from '../labels/shared/print-notes.tsx'
import { AlsoFound } from '../new-parcel/also-found.tsx'
import { CancelParcels } from './cancel-parcels.tsx'
import { useParcelColumns } from './parcel-columns.tsx'
import { ParcelFilters, parcelFilterNames } from './parcel-filters.tsx'
import { ParcelSidePanel } from './parcel-side-panel.tsx'
import { whyNotRepeat } from './why-not-repeat.ts'

/** All parcels of the account, in tabs with counts, with a search by number, name, phone or reference. */
export function ParcelsPage() {
  const t = useT()
  const format = useFormat()
  const mayCreate = useSession((state) => state.auth.permissions.includes('parcels.create'))
  const list = useList(listParcels, { filters: parcelFilterNames, defaultSort: '-createdAt' })
  const counts = list.result.data?.counts
  const notes = usePrintNotes()
  const [cancelling, setCancelling] = useState<readonly Parcel[]>([])
  const columns = useParcelColumns(notes.ask)
  const bulkActions = useBulkActions(notes.ask, setCancelling)
  const create = mayCreate && (
    <ButtonLink to="/parcels/new" variant="filled">
      {t('actions.new')}
    </ButtonLink>
  )
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
        rowName={(row) =>
          row.trackingNumber
            ? format.trackingNumber(row.trackingNumber)
            : (row.receiver?.contactName ?? t('parcelsPage.draft'))
        }
        tabs={parcelTabs.map((tab) => ({
          value: tab,
          label: t(`parcelsPage.tab.${tab}`),
          count: counts?.[tab],
          countedTo: parcelCountLimits.tab,
        }))}
        filters={<ParcelFilters list={list} />}
        countedTo={list.result.data?.more ? list.result.data.total : undefined}
        bulkActions={bulkActions}
        columns={columns}
        print={(row) =>
          row.allowedActions.includes('print_note') ? notes.ask([row.id]) : notify.warning(t('parcelsPage.noNotes'))
        }
        panel={{
          title: (row) => row?.receiver?.contactName ?? row?.reference ?? t('parcelPage.title'),
          show: (id) => <ParcelSidePanel id={id} />,
        }}
        empty={{ title: t('parcelsPage.empty'), text: t('parcelsPage.emptyHint') }}
      />
      {cancelling.length > 0 && <CancelParcels parcels={cancelling} onClose={() => setCancelling([])} />}
    </>
  )
}

/** Actions on the selected parcels: cancel, print notes, repeat. */
function useBulkActions(
  printNotes: (ids: readonly string[]) => void,
  cancel: (parcels: readonly Parcel[]) => void,
): readonly BulkAction<Parcel>[] {
  const t = useT()
  const navigate = useNavigate()
  return [
    {
      label: t('cancelParcel.bulk'),
      run: (rows) => {
        const open = rows.filter((row) => row.allowedActions.includes('cancel'))
        if (open.length === 0) {
          notify.warning(t('cancelParcel.bulkNone'))
          return false
        }
        if (open.length < rows.length) {
          notify.info(t('cancelParcel.bulkSome', { count: rows.length - open.length }))
        }
        cancel(open)
        return true
      },
    },
    {
      label: t('parcelAction.print_note'),
      run: (rows) => {
        const printable = rows.filter((row) => row.allowedActions.includes('print_note'))
        if (printable.length === 0) {
          notify.warning(t('parcelsPage.noNotes'))
          return false
        }
        printNotes(printable.map((row) => row.id))
        if (printable.length < rows.length) {
          notify.info(t('parcelsPage.someNotes', { count: rows.length - printable.length }))
        }
        return true
      },
    },
    {
      label: t('parcelAction.repeat'),
      run: (rows) => {
        const reason = whyNotRepeat(rows)
        if (reason) notify.warning(t(reason))
        else void navigate({ to: '/parcels/new', search: { repeat: rows[0]?.id } })
        return reason === null
      },
    },
  ]
}
