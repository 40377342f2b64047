import { useSearch } from '@tanstack/react-router'
import { getDefaultAddress } from '@waybill/contract/addresses/addresses'
import { getOrder } from '@waybill/contract/orders/orders'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
import { useWhyClosed } from '../../../components/access/why-closed.ts'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { toPartyValues } from '../../addresses/shared/party-values.ts'
import { ParcelForm } from './parcel-form.tsx'
import { emptyParcel, fillFromPrice, toParcelValues } from './parcel-values.ts'

/** A new parcel. `?id=` edits a draft or a parcel of the cart; `?repeat=` copies a past parcel. */
export function NewParcelPage() {
  const t = useT()
  const search = useSearch({ from: '/portal/parcels/new' })
  const { id, repeat } = search
  const country = useDeployment()?.countryCode
  const user = useSession((state) => state.auth.user)
  const permissions = useSession((state) => state.auth.permissions)
  const whyClosed = useWhyClosed('newParcel.mayNot')
  const from = id ?? repeat
  const sender = useCall(getDefaultAddress, {}, { enabled: !from })
  const source = useCall(getParcel, { params: { id: from ?? '' } }, { enabled: Boolean(from) })
  // A refresh must not replace what is typed: before another version is overwritten, `useSaveParcel` asks.
  const [editTarget, setEditTarget] = useState<Parcel | null>(null)
  if (id && source.data && !source.isFetching && !source.error && editTarget?.id !== id) setEditTarget(source.data)
  // The slot of an unpaid order, so that it is kept when the user comes back from the checkout.
  const orderId = id ? source.data?.orderId : null
  const order = useCall(getOrder, { params: { id: orderId ?? '' } }, { enabled: Boolean(orderId) })
  const header = <PageHeader title={t(id ? 'newParcel.editTitle' : 'newParcel.title')} />

  // Until the profile is loaded there are no permissions.
  if (permissions.length > 0 && !permissions.includes('parcels.create')) {
    return (
      <>
        {header}
        <MessagePanel kind="forbidden" title={t('list.forbidden')} text={t(whyClosed)} />
      </>
    )
  }
  // A parcel that is removed elsewhere must not take what is typed with it: `useSaveParcel` offers a new one.
  const isOpen = id !== undefined && editTarget?.id === id
  if (from && source.error && !isOpen) {
    return (
      <>
        {header}
        <ErrorPanel error={source.error} retry={() => void source.refetch()} />
      </>
    )
  }
  const isLoaded = id ? isOpen : from ? !source.isPending : !sender.isPending
  if (!isLoaded || (orderId && order.isPending) || !country) {
    return (
      <>
        {header}
        <Loading />
      </>
    )
  }
  const parcel = source.data ?? null
  if (id && parcel && !parcel.allowedActions.includes('edit')) {
    const waits = parcel.status === 'pending_payment' ? parcel.orderId : null
    return (
      <>
        {header}
        <MessagePanel
          kind="empty"
          title={t('newParcel.notEditable')}
          text={t(waits ? 'newParcel.paymentRuns' : 'newParcel.notEditableText')}
          action={
            waits ? (
              <ButtonLink to="/checkout/$orderId" params={{ orderId: waits }}>
                {t('newParcel.toCheckout')}
              </ButtonLink>
            ) : (
              <ButtonLink to="/parcels/$id" params={{ id }}>
                {t('actions.view')}
              </ButtonLink>
            )
          }
        />
      </>
    )
  }
  const address = sender.data?.address
  // Without a default sender: the details known from the registration.
  const own = { contactName: user?.name ?? '', phone: user?.phone ?? '' }
  const empty = emptyParcel(country)
  const firstSender = address ? toPartyValues(address) : { ...empty.sender, ...own }
  const edited = id ? editTarget : null
  const copied = edited ?? parcel
  const initial = copied
    ? // Photos show the previous contents.
      { ...toParcelValues(copied, country), ...(id ? {} : { photos: [] }) }
    : fillFromPrice({ ...empty, sender: firstSender }, search)
  const start = repeat ?? (search.from && `${search.from}:${search.to ?? search.country}`)
  const draftKey = edited
    ? `parcel:${edited.id}:${edited.version}`
    : ['parcel', start].filter((part) => part !== undefined).join(':')
  return (
    <>
      {header}
      <ParcelForm
        key={draftKey}
        initial={initial}
        editTarget={edited}
        draftKey={draftKey}
        // A repeated parcel starts with its own values, never with an abandoned draft of another.
        offersDraft={Boolean(repeat ?? search.from) && !edited}
        hasDefaultSender={Boolean(address) || edited !== null}
        pickup={order.data?.pickup ? { date: order.data.pickup.date, window: order.data.pickup.window } : null}
      />
    </>
  )
}
