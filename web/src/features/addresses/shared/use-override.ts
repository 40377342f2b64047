import type { ContradictoryField } from '@waybill/contract/addresses/addresses'
import { confirm } from '../../../components/confirm.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** The user's answer to "Is the address right?": the contradictions to override, or null for no. */
type Answer<F> = readonly F[] | null

/** The contradictions that the server allows to override; null for any other error. */
export function findOverridableFields<F extends string = ContradictoryField>(error: unknown): readonly F[] | null {
  if (!(error instanceof ApiError) || !['address_contradiction', 'city_mismatch'].includes(error.code)) return null
  return Array.isArray(error.details.override) ? (error.details.override as F[]) : null
}

/**
 * Asks whether an address is right although city or state contradict its postcode. The same question for parcels, the
 * address book and the receiver's page.
 */
export function useOverride({ text, action }: { text: string; action: string }) {
  const t = useT()

  async function ask<F extends string = ContradictoryField>(error: ApiError): Promise<Answer<F>> {
    const agreed = await confirm({
      title: t('newParcel.contradiction'),
      message: [...error.errors.map(({ message }) => message), text].reduce((first, second) =>
        t('phrase.sentences', { first, second }),
      ),
      action,
    })
    return agreed ? findOverridableFields<F>(error) : null
  }

  /** Saves, and after a contradiction that the user confirms saves again with it overridden. */
  async function save<T, F extends string = ContradictoryField>(send: (override: F[]) => Promise<T>): Promise<T> {
    try {
      return await send([])
    } catch (error) {
      if (findOverridableFields(error) === null) throw error
      const override = await ask<F>(error as ApiError)
      if (override === null) throw error
      return send([...override])
    }
  }
  return { ask, save }
}
