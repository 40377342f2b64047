import '../../components/theme/tokens.css'
import { type ReactNode, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../../components/feedback/error-boundary.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { NotifyHost } from '../../components/feedback/notify.tsx'
import { followBrandColour } from '../../components/theme/brand-colour.ts'

/** Renders a page into its HTML file, with the common parts: an error panel and notifications. */
export async function mount(page: ReactNode): Promise<void> {
  await followBrandColour()
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <ErrorBoundary renderError={(error) => <ErrorPanel error={error} retry={() => location.reload()} />}>
        {/* A text that is not loaded yet suspends its component. */}
        <Suspense>{page}</Suspense>
      </ErrorBoundary>
      <NotifyHost />
    </StrictMode>,
  )
}
