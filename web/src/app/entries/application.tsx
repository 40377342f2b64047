import './more-styles.ts'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { KitProvider } from '../../components/theme/provider.tsx'
import { refreshOnLanguageChange } from '../../lib/query.ts'
import { router } from '../router.tsx'
import { mount } from './mount.tsx'

/** Renders the application. Its code is loaded while the entry (`main.ts`) waits for its first responses. */
export function mountApplication(queries: QueryClient): Promise<void> {
  refreshOnLanguageChange(queries)
  return mount(
    <KitProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </KitProvider>,
  )
}
