import '../components/theme/base-styles.ts'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/ActionIcon.css'
import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/PinInput.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../components/feedback/error-boundary.tsx'
import { NotifyHost } from '../components/feedback/notify.tsx'
import { PublicFrame } from '../components/layout/public-frame.tsx'
import { KitProvider } from '../components/theme/provider.tsx'
import { SignInPage } from '../features/accounts/sign-in/sign-in-page.tsx'
import { startCredentials } from '../lib/credentials.ts'
import { startI18n } from '../lib/i18n.ts'
import { loadSettings } from '../lib/load.ts'
import { prefetchPage } from '../lib/prefetch.ts'
import { createQueryClient } from '../lib/query.ts'
import { hydrateSession } from '../lib/session.ts'

// An entry of its own, so that signing in needs neither the router nor the rest of the application.
startCredentials()
await Promise.all([startI18n(), hydrateSession()])
void loadSettings()
prefetchPage('/dashboard')

// Its forms send through useSend.
const client = createQueryClient()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <KitProvider>
      <ErrorBoundary>
        <QueryClientProvider client={client}>
          <PublicFrame width="form">
            <SignInPage />
          </PublicFrame>
        </QueryClientProvider>
      </ErrorBoundary>
      <NotifyHost />
    </KitProvider>
  </StrictMode>,
)
