import './styles.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../components/feedback/error-boundary.tsx'
import { NotifyHost } from '../components/feedback/notify.tsx'
import { KitProvider } from '../components/theme/provider.tsx'
import { loadChineseFontWhereMissing } from '../lib/chinese-font.ts'
import { startCredentials } from '../lib/credentials.ts'
import { startI18n } from '../lib/i18n.ts'
import { createQueryClient } from '../lib/query.ts'
import { hydrateSession } from '../lib/session.ts'
import { router } from './router.tsx'

// The texts and the session come before the first render: nothing is shown in the wrong language or to the wrong user.
startCredentials()
await Promise.all([startI18n(), hydrateSession()])

const client = createQueryClient()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <KitProvider>
      <ErrorBoundary>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ErrorBoundary>
      <NotifyHost />
    </KitProvider>
  </StrictMode>,
)

loadChineseFontWhereMissing()
