import './more-styles.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { KitProvider } from '../../components/theme/provider.tsx'
import { loadChineseFontWhereMissing } from '../../lib/browser/chinese-font.ts'
import { startCredentials } from '../../lib/credentials.ts'
import { loadAllTexts, startI18n } from '../../lib/i18n.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { hydrateSession } from '../../lib/session.ts'
import { router } from '../router.tsx'
import { requestFirstData } from './first-data.ts'
import { mount } from './mount.tsx'

startCredentials()
const queries = createQueryClient()
const texts = startI18n('index')
await hydrateSession()
// The first texts are those of the frame and of a new parcel. Any other page waits for all: React would discard the
// state of a page that suspends at its first render.
const isNewParcel = location.pathname === '/parcels/new'
const allTexts = isNewParcel ? null : loadAllTexts()
if (isNewParcel) requestFirstData(queries)
// The texts and the session come before the first render: nothing is shown in the wrong language or to the wrong user.
await Promise.all([texts, allTexts])

await mount(
  <KitProvider>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </KitProvider>,
)

loadChineseFontWhereMissing()
// For the next page.
void loadAllTexts()

// It asks for nothing: permission for push messages is asked where somebody follows a parcel. A failure leaves the
// portal as it is without it.
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/push-worker.js').catch(() => undefined)
