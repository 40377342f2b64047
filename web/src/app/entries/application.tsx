import './more-styles.ts'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { KitProvider } from '../../components/theme/provider.tsx'
import { isStaffPage } from '../../features/accounts/shared/sign-in-path.ts'
import { refreshOnLanguageChange } from '../../lib/query.ts'
import { sessionStore } from '../../lib/session.ts'
import { createApplicationRouter } from '../router.tsx'
import { mount } from './mount.tsx'

/** Renders the application. Its code is loaded while the entry (`main.ts`) waits for its first responses. */
export async function mountApplication(queries: QueryClient): Promise<void> {
  refreshOnLanguageChange(queries)
  // No link leads from a page of customers to one of staff, and signing in loads the document again.
  const needsStaffRoutes = isStaffPage() || sessionStore.getState().auth.user?.kind === 'staff'
  const router = createApplicationRouter(needsStaffRoutes ? (await import('../routes/staff.ts')).staffRoutes : null)
  return mount(
    <KitProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </KitProvider>,
  )
}
