import {
  contradictoryFields,
  createAddress,
  getDefaultAddress,
  listAddresses,
  type Party,
} from '@waybill/contract/addresses/addresses'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import {
  createParcel,
  getParcel,
  type Parcel,
  type ParcelOverride,
  updateParcel,
} from '@waybill/contract/parcels/parcels'
import { useRef } from 'react'
import { confirm } from '../../../components/confirm.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { type CallOnce, useCallOnce } from '../../../lib/once.ts'
import { useRefresh } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { useOverride } from '../../addresses/shared/use-override.ts'
import type { ParcelValues } from './parcel-values.ts'

type Body = BodyIn<typeof createParcel>

const askedCodes: readonly string[] = ['address_contradiction', 'parcel_identical', 'version_conflict', 'not_found']

/** The user has already declined this error in `save`. */
export const isDeclined = (error: unknown): error is ApiError =>
  error instanceof ApiError && askedCodes.includes(error.code)

/**
 * Creates the parcel, or updates the existing one. `save` asks for a confirmation of a contradictory address, of a
 * duplicate, and before it overwrites what was changed or replaces what was removed elsewhere. If the user declines, it
 * throws the server's error (`isDeclined`).
 */
export function useSaveParcel(editTarget: Parcel | null) {
  const t = useT()
  const format = useFormat()
  const callOnce: CallOnce = useCallOnce()
  const { ask: askOverride } = useOverride({
    text: t('newParcel.contradictionText'),
    action: t('newParcel.override'),
  })
  /** Contradictions that the user has confirmed. They are stored with the parcel. */
  const overrides = useRef<ParcelOverride['field'][]>([])
  const identicalAllowed = useRef(false)
  const version = useRef(editTarget?.version ?? 0)
  /** The edited parcel was removed elsewhere: a new one replaces it. */
  const replaces = useRef(false)

  function saveAsIs(body: Body): Promise<Parcel> {
    const content = { ...body, override: overrides.current }
    if (editTarget && !replaces.current)
      return call(updateParcel, { body: { ...content, id: editTarget.id, version: version.current } })
    return callOnce(createParcel, { body: { ...content, refuseIdentical: !identicalAllowed.current } })
  }

  async function ask(error: ApiError, receiverName: string): Promise<boolean> {
    const { code, details } = error
    if (editTarget && code === 'version_conflict') {
      const { version: newest } = await call(getParcel, { params: { id: editTarget.id } })
      const isSure = await confirm({
        title: t('newParcel.changed'),
        message: t('newParcel.changedText'),
        action: t('newParcel.changedAction'),
      })
      if (isSure) version.current = newest
      return isSure
    }
    if (code === 'not_found' && editTarget) {
      replaces.current = await confirm({
        title: t('newParcel.removed'),
        message: t('newParcel.removedText'),
        action: t('newParcel.removedAction'),
      })
      return replaces.current
    }
    if (code === 'parcel_identical') {
      const at = typeof details.createdAt === 'string' ? format.time(details.createdAt) : ''
      identicalAllowed.current = await confirm({
        title: t('newParcel.identical'),
        message: t('newParcel.identicalText', { name: receiverName, at }),
        action: t('newParcel.identicalAction'),
      })
      return identicalAllowed.current
    }
    const fields = await askOverride<ParcelOverride['field']>(error)
    if (fields) overrides.current = [...fields]
    return fields !== null
  }

  async function save(body: Body, receiverName: string): Promise<Parcel> {
    try {
      return await saveAsIs(body)
    } catch (error) {
      if (!isDeclined(error) || !(await ask(error, receiverName))) throw error
      return save(body, receiverName)
    }
  }

  /** The next parcel starts without the confirmations of this one. */
  function restart() {
    overrides.current = []
    identicalAllowed.current = false
  }
  return { save, restart }
}

/** Adds new parties of a saved parcel to the address book if the form's checkboxes say so. */
export function useKeepAddresses(hasDefaultSender: boolean) {
  const t = useT()
  const refresh = useRefresh()
  const mayKeep = useMay('addresses')
  return async (
    values: ParcelValues,
    { sender, receiver }: { sender: Party; receiver: Party },
    overriddenFields: readonly ParcelOverride[],
  ) => {
    // Contradictions that were confirmed for the parcel also count as confirmed for the address book.
    const override = (side: 'sender' | 'receiver') =>
      contradictoryFields.filter((name) => overriddenFields.some(({ field }) => field === `${side}.${name}`))
    const addresses = [
      ...(values.saveSender && !hasDefaultSender
        ? [{ ...sender, kind: 'sender' as const, isDefault: true, override: override('sender') }]
        : []),
      ...(values.saveReceiver && !values.receiverKnown
        ? [{ ...receiver, kind: 'receiver' as const, override: override('receiver') }]
        : []),
    ]
    if (addresses.length === 0 || !mayKeep) return
    // The parcel is already saved. An error of the address must not look like an error of the parcel.
    try {
      for (const body of addresses) await call(createAddress, { body })
      await refresh(listAddresses, getDefaultAddress)
    } catch (error) {
      notify.warning(t('newParcel.notSaved', { why: errorMessage(error) }))
    }
  }
}
