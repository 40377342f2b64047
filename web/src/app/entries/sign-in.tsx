import '../../components/theme/base-styles.ts'
import { PublicFrame } from '../../components/layout/public-frame.tsx'
import { KitProvider } from '../../components/theme/provider.tsx'
import { SignInPage } from '../../features/accounts/sign-in/sign-in-page.tsx'
import { signedInPath } from '../../features/accounts/sign-in/signed-in-path.ts'
import { startI18n } from '../../lib/i18n.ts'
import { hydrateSession } from '../../lib/session.ts'
import { loadSettings } from '../../lib/settings/load-settings.ts'
import { mount } from './mount.tsx'
import { prefetchPage } from './prefetch-page.ts'

// Signing in needs neither the router nor the rest of the application, hence a separate entry. It sends no credentials:
// every call before the sign-in is public.
await Promise.all([startI18n('sign-in'), hydrateSession()])
const next = signedInPath(location.search)
if (next) location.replace(next)
else {
  void loadSettings()
  prefetchPage('/dashboard')
  await mount(
    <KitProvider>
      <PublicFrame width="form">
        <SignInPage />
      </PublicFrame>
    </KitProvider>,
  )
}
