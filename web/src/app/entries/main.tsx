import './more-styles.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { KitProvider } from '../../components/theme/provider.tsx'
import { loadChineseFontWhereMissing } from '../../lib/browser/chinese-font.ts'
import { startCredentials } from '../../lib/credentials.ts'
import { startI18n } from '../../lib/i18n.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { hydrateSession } from '../../lib/session.ts'
import { router } from '../router.tsx'
import { mount } from './mount.tsx'

// The texts and the session come before the first render: nothing is shown in the wrong language or to the wrong user.
startCredentials()
await Promise.all([startI18n(), hydrateSession()])

await mount(
  <KitProvider>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </KitProvider>,
)

loadChineseFontWhereMissing()

// It asks for nothing: permission for push messages is asked where somebody follows a parcel. A failure leaves the
// portal as it is without it.
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/push-worker.js').catch(() => undefined)
