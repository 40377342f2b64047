import { Button } from '@mantine/core'
import { providerStartRequest } from '@waybill/contract/accounts/sign-in-requests'
import type { IdentityProvider, SignInSide } from '@waybill/contract/ground/constants'
import { useState } from 'react'
import { Stack } from '../../../components/layout/boxes.tsx'
import { errorMessage, send } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { homePath } from '../shared/sign-in-path.ts'
import { safeNext } from './next.ts'
import { rememberProvider } from './pending-provider.ts'
import { useProviders } from './use-providers.ts'

type Props = {
  side: SignInSide
  onProblem: (message: string | null) => void
}

/** One button for each identity provider. It opens the provider's own page, which redirects to `/auth/callback`. */
export function ProviderButtons({ side, onProblem }: Props) {
  const t = useT()
  const providers = useProviders(side)
  const [pending, setPending] = useState<IdentityProvider | null>(null)

  async function start(provider: IdentityProvider): Promise<void> {
    onProblem(null)
    setPending(provider)
    const invitation = new URLSearchParams(location.search).get('invitation')
    try {
      const body = { side, ...(invitation ? { invitation } : {}) }
      const response = await send(providerStartRequest, { params: { provider }, body })
      const { url, browserToken } = (await response.json()) as { url: string; browserToken: string }
      const next = safeNext(location.search, homePath(side === 'staff'))
      rememberProvider({ browserToken, side, next, connects: false })
      // The button stays busy until the page is left.
      location.assign(url)
    } catch (error) {
      setPending(null)
      onProblem(errorMessage(error))
    }
  }

  return (
    <Stack>
      {providers.map(({ provider, label }) => (
        <Button
          key={provider}
          size="md"
          loading={pending === provider}
          disabled={pending !== null && pending !== provider}
          onClick={() => void start(provider)}
        >
          {t('auth.with', { provider: label })}
        </Button>
      ))}
    </Stack>
  )
}
