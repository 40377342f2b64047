import {
  carrierLabels,
  deliveryModeLabels,
  parcelStatusLabels,
  scopeLabels,
  serviceTypeLabels,
  statusLabel,
} from '@waybill/contract/ground/enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status-look'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { TextLink } from '../../../components/buttons/link.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Mono, Quiet } from '../../../components/layout/text.tsx'
import type { Column } from '../../../components/list/list-table.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'

/** The columns of the list of parcels. */
export function useParcelColumns(): readonly Column<Parcel>[] {
  const t = useT()
  const label = useLabel()
  const language = useLanguage()
  const format = useFormat()
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
          {row.scope === 'international' && <Quiet>{label(scopeLabels, row.scope)}</Quiet>}
          {row.carrier && row.carrier !== 'own' && <Quiet>{label(carrierLabels, row.carrier)}</Quiet>}
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
            <Quiet>{t('parcelsPage.dueAmount', { amount: format.money(row.amountDueMinor, row.currency) })}</Quiet>
          )}
        </>
      ),
    },
  ]
}
