import { useSearch } from '@tanstack/react-router'
import { getDefaultAddress } from '@waybill/contract/addresses'
import { getParcel } from '@waybill/contract/parcels'
import { partyValuesOf } from '../../components/address/party-values.ts'
import { ButtonLink } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/message-panel.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useDeployment } from '../../lib/deployment.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { ParcelForm } from './parcel-form.tsx'
import { emptyParcel, parcelValuesOf } from './parcel-values.ts'

/** A new parcel; with `?id=` a draft or a parcel of the cart to be edited, with `?repeat=` a past one to be sent again. */
export function NewParcelPage() {
  const t = useT()
  const { id, repeat } = useSearch({ strict: false }) as { id?: string; repeat?: string }
  const country = useDeployment()?.countryCode
  const user = useSession((state) => state.auth.user?.id ?? '')
  const permissions = useSession((state) => state.auth.permissions)
  const from = id ?? repeat
  const sender = useCall(getDefaultAddress, {}, { enabled: !from })
  const source = useCall(getParcel, { params: { id: from ?? '' } }, { enabled: Boolean(from) })
  const header = <PageHeader title={t(id ? 'newParcel.editTitle' : 'newParcel.title')} />

  // Before the profile has come there are no permissions at all.
  if (permissions.length > 0 && !permissions.includes('parcels.create')) {
    return (
      <>
        {header}
        <MessagePanel kind="forbidden" title={t('list.forbidden')} text={t('newParcel.mayNot')} />
      </>
    )
  }
  const waiting = from ? source.isPending : sender.isPending
  if (waiting || !country) {
    return (
      <>
        {header}
        <Loading />
      </>
    )
  }
  if (from && source.error) {
    return (
      <>
        {header}
        <ErrorPanel error={source.error} retry={() => void source.refetch()} />
      </>
    )
  }
  const parcel = source.data ?? null
  if (id && parcel && !parcel.allowedActions.includes('edit')) {
    return (
      <>
        {header}
        <MessagePanel
          kind="empty"
          title={t('newParcel.notEditable')}
          text={t('newParcel.notEditableText')}
          action={
            <ButtonLink to="/parcels/$id" params={{ id }}>
              {t('actions.view')}
            </ButtonLink>
          }
        />
      </>
    )
  }
  const address = sender.data?.address
  const initial = parcel
    ? // Photos show what was packed then.
      { ...parcelValuesOf(parcel, country), ...(id ? {} : { photos: [] }) }
    : { ...emptyParcel(country), ...(address ? { sender: partyValuesOf(address) } : {}) }
  const edited = id ? parcel : null
  const draftKey = edited ? `parcel:${edited.id}:${edited.version}` : `parcel:${user}${repeat ? `:${repeat}` : ''}`
  return (
    <>
      {header}
      <ParcelForm
        key={draftKey}
        initial={initial}
        edited={edited}
        draftKey={draftKey}
        hasDefaultSender={Boolean(address) || edited !== null}
      />
    </>
  )
}
