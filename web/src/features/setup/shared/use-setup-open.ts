import { getSetup } from '@waybill/contract/setup/setup'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'

/** Whether the deployment still lacks something: undefined until it is known, false for those who cannot set it up. */
export function useSetupOpen(): boolean | undefined {
  const may = useMay('staff.setup')
  const { data, error } = useCall(getSetup, {}, { enabled: may, staleTime: 600_000 })
  // Without an answer nobody is sent to a page that could not be shown either.
  if (!may || error) return false
  return data && !data.complete
}
