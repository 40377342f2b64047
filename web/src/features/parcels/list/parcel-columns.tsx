import { carrierLabels, contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { deliveryModeLabels, scopeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { ListedParcel, Parcel } from '@waybill/contract/parcels/parcels'
import { TextLink } from '../../../components/buttons/link.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { ParcelPill } from '../../../components/display/record-pills.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Mono, Quiet } from '../../../components/layout/text.tsx'
import type { Column } from '../../../components/list/column.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { formatPlace } from '../../addresses/shared/format-place.ts'
import { DeliveryDay } from './delivery-day.tsx'
import { ParcelRowActions } from './parcel-row-actions.tsx'

/** Columns that users may add to the list. */
function useDetailColumns(): readonly Column<ListedParcel>[] {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  return [
    {
      id: 'mode',
      header: t('fields.deliveryMode'),
      show: 'chosen',
      cell: (row) => row.deliveryMode && label(deliveryModeLabels, row.deliveryMode),
    },
    {
      id: 'updated',
      header: t('parcelsPage.updated'),
      sort: 'updatedAt',
      show: 'chosen',
      cell: (row) => <Ago at={row.updatedAt} />,
    },
    { id: 'reference', header: t('fields.reference'), show: 'chosen', cell: (row) => row.reference },
    { id: 'sender', header: t('fields.sender'), show: 'chosen', cell: (row) => row.sender?.contactName },
    {
      id: 'content',
      header: t('fields.contentType'),
      show: 'chosen',
      cell: (row) => row.contentType && label(contentTypeLabels, row.contentType),
    },
    {
      id: 'weight',
      header: t('fields.weightGrams'),
      show: 'chosen',
      align: 'end',
      cell: (row) => {
        const grams = row.actualGrams ?? row.weightGrams
        return grams !== null && format.weight(grams)
      },
    },
  ]
}

/** This list has no room for the exact time. */
const Ago = ({ at }: { at: string }) => <Time at={at} inList="relative" />

/** The columns of the list of parcels. */
export function useParcelColumns(printNotes: (ids: readonly string[]) => void): readonly Column<ListedParcel>[] {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const details = useDetailColumns()
  const name = (row: Parcel) =>
    row.trackingNumber ?? row.reference ?? t(row.status === 'pending' ? 'parcelsPage.draft' : 'parcelsPage.noNumber')
  return [
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
            <CopyNumber value={row.trackingNumber} text="" />
          </Mono>
        ) : (
          <TextLink to="/parcels/$id" params={{ id: row.id }}>
            {name(row)}
          </TextLink>
        ),
    },
    {
      id: 'receiver',
      header: t('fields.receiver'),
      sort: 'receiverName',
      minWidth: 120,
      phone: 'title',
      phoneCell: (row) => (
        <TextLink to="/parcels/$id" params={{ id: row.id }}>
          {row.receiver ? `${row.receiver.contactName} · ${row.receiver.city}` : name(row)}
        </TextLink>
      ),
      cell: (row) =>
        row.receiver ? (
          <>
            {row.receiver.contactName}
            <Quiet>{formatPlace({ city: row.receiver.city, state: row.receiver.state })}</Quiet>
          </>
        ) : (
          <Quiet>{t('parcelsPage.missing')}</Quiet>
        ),
    },
    {
      id: 'service',
      header: t('parcelsPage.service'),
      show: 'wide',
      minWidth: 100,
      cell: (row) => (
        <>
          {row.serviceType ? label(serviceTypeLabels, row.serviceType) : '–'}
          {row.scope === 'international' && <Quiet>{label(scopeLabels, row.scope)}</Quiet>}
          {row.carrier && row.carrier !== 'own' && <Quiet>{label(carrierLabels, row.carrier)}</Quiet>}
        </>
      ),
    },
    {
      id: 'status',
      header: t('fields.status'),
      sort: 'status',
      phone: 'detail',
      cell: (row) => <ParcelPill parcel={row} waitsForApproval={row.waitsForApproval} />,
    },
    {
      id: 'expected',
      header: t('parcelsPage.expected'),
      whole: true,
      phone: 'detailEnd',
      cell: (row) => <DeliveryDay parcel={row} write={format.shortDay} />,
    },
    { id: 'created', header: t('parcelsPage.created'), sort: 'createdAt', cell: (row) => <Ago at={row.createdAt} /> },
    ...details,
    {
      id: 'price',
      header: t('parcelsPage.price'),
      align: 'end',
      phone: 'end',
      cell: (row) => {
        const price = row.priceMinor === null ? '–' : format.money(row.priceMinor, row.currency)
        if (row.amountDueMinor === 0) return price
        return <strong>{t('parcelsPage.dueAmount', { amount: format.money(row.amountDueMinor, row.currency) })}</strong>
      },
    },
    {
      id: 'actions',
      header: t('list.actions'),
      kind: 'actions',
      cell: (row) => <ParcelRowActions parcel={row} name={name(row)} print={() => printNotes([row.id])} />,
      sheetCell: (row) => <ParcelRowActions parcel={row} name={name(row)} print={() => printNotes([row.id])} words />,
    },
  ]
}
