import { Button } from '@mantine/core'
import { type ServiceType, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { changeSelfCollections, changeServices } from '@waybill/contract/parcels/cart'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { ErrorText } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { changedByCheckout } from '../shared/changed-by-checkout.ts'
import { CollectionStation } from './collection-station.tsx'

/** The field that changes for all selected parcels. */
export type CartChange = 'service' | 'collection'

type Props = { change: CartChange; parcels: readonly Parcel[]; onClose: () => void }

/**
 * Changes the service or the collection station of all selected parcels. All or none: if one cannot be changed, the
 * dialog names it.
 */
export default function CartChanges({ change, parcels, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const choices = useChoices()
  const ids = parcels.map(({ id }) => id)
  const [first] = parcels
  const [service, setService] = useState<ServiceType | null>(first?.serviceType ?? null)
  const [toStation, setToStation] = useState(first?.selfCollectionStationId !== null)
  const [station, setStation] = useState<string | null>(first?.selfCollectionStationId ?? null)
  const [problem, setProblem] = useState<{
    message: string
    reasons: readonly string[]
    names: readonly string[]
  } | null>(null)

  const save = useSend(
    async () => {
      if (change === 'collection')
        return call(changeSelfCollections, { body: { ids, selfCollectionStationId: toStation ? station : null } })
      return service && call(changeServices, { body: { ids, serviceType: service } })
    },
    {
      refresh: changedByCheckout,
      success: t('cart.changed', { count: ids.length }),
      onSuccess: onClose,
      onError: (error) => {
        if (!(error instanceof ApiError) || error.code !== 'parcels_refused') return false
        const refusedIds = new Set(error.details.ids as string[])
        setProblem({
          message: error.message,
          reasons: error.errors.map(({ message }) => message),
          names: parcels.filter(({ id }) => refusedIds.has(id)).map(({ receiver, id }) => receiver?.contactName ?? id),
        })
        return true
      },
    },
  )

  function saveComplete() {
    if (change === 'collection' && toStation && !station) {
      setProblem({ message: t('cart.stationNeeded'), reasons: [], names: [] })
      return
    }
    setProblem(null)
    void save.send()
  }

  const near = first?.receiver
  return (
    <Dialog title={t(`cart.change.${change}`, { count: ids.length })} onClose={onClose}>
      {change === 'service' ? (
        <ChoiceCards
          legend={t('newParcel.service')}
          name="serviceType"
          value={service}
          onChange={(value) => setService(value as ServiceType)}
          choices={choices(serviceTypeLabels).map(({ value, label }) => ({
            value,
            title: label,
            text: t(`cart.serviceText.${value}`),
          }))}
        />
      ) : (
        <Stack>
          <ChoiceCards
            legend={t('cart.receiving')}
            hiddenLegend
            name="receiving"
            value={toStation ? 'station' : 'door'}
            onChange={(value) => setToStation(value === 'station')}
            choices={(['door', 'station'] as const).map((value) => ({ value, title: t(`cart.receivingAt.${value}`) }))}
          />
          {toStation && near && (
            <CollectionStation
              field={{
                id: 'cart-station',
                path: 'selfCollectionStationId',
                value: station,
                onChange: setStation,
                onBlur: () => {},
                error: undefined,
                required: true,
                label: t('fields.selfCollectionStationId'),
              }}
              near={near.postcode}
              state={near.state}
            />
          )}
        </Stack>
      )}
      {problem && (
        <ErrorText as="div" role="alert">
          {problem.reasons.reduce(
            (first, second) => t('phrase.sentences', { first, second }),
            problem.names.length > 0
              ? t('phrase.detail', { text: problem.message, detail: format.list(problem.names) })
              : problem.message,
          )}
        </ErrorText>
      )}
      <DialogFoot>
        <Button onClick={onClose}>{t('actions.cancel')}</Button>
        <Button variant="filled" loading={save.pending} onClick={saveComplete}>
          {t('cart.changeNow', { count: ids.length })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
