import '../components/theme/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../components/feedback/error-boundary.tsx'
import { NotifyHost } from '../components/feedback/notify.tsx'
import { PublicFrame } from '../components/layout/public-frame.tsx'
import { TrackPage } from '../features/tracking/track-page.tsx'
import { savedLanguage, startI18n } from '../lib/i18n.ts'
import '../lib/scheme.ts'
import { local } from '../lib/storage.ts'

// The public tracking page asks for no settings and clears all local storage on load (the specification, section 2);
// the language and the colours that were chosen before are read first, and hold until the page goes.
const language = savedLanguage()
local.clear()
await startI18n(language)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <ErrorBoundary>
      <PublicFrame>
        <TrackPage />
      </PublicFrame>
    </ErrorBoundary>
    <NotifyHost />
  </StrictMode>,
)
