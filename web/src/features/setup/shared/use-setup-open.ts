import { getSetup } from '@waybill/contract/setup/setup'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'

/** Whether the setup is incomplete: undefined until it is known, false for users who cannot complete it. */
export function useSetupOpen(): boolean | undefined {
  const may = useMay('staff.setup')
  const { data, error } = useCall(getSetup, {}, { enabled: may, staleTime: 600_000 })
  // If the request fails, nobody is redirected to a page that could not be shown either.
  if (!may || error) return false
  return data && !data.complete
}
