/** The available sign-in methods, from the settings. */
import type { SignInSide } from '@waybill/contract/ground/constants'
import { useDeployment } from '../../../lib/settings/deployment.ts'

/** The identity providers that are offered on a side's sign-in page. */
export function useProviders(side: SignInSide) {
  const settings = useDeployment()
  return (settings?.loginProviders ?? []).filter(({ sides }) => sides.includes(side))
}

/** Whether people sign in with passwords; true until the settings are loaded. */
export function usePasswordsOn(): boolean {
  return useDeployment()?.loginMethods.includes('local') ?? true
}
