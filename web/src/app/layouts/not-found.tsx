import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { MessagePanel } from '../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { PublicFrame } from '../../components/layout/public-frame.tsx'
import { VisitorLinks } from '../../components/layout/visitor-links.tsx'
import { isStaffPage } from '../../features/accounts/shared/sign-in-path.ts'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'

const PortalLayout = lazy(async () => ({ default: (await import('./portal-layout.tsx')).PortalLayout }))
const StaffLayout = lazy(async () => ({ default: (await import('./staff-layout.tsx')).StaffLayout }))

/** Shown if no page has this path. A signed-in user keeps the navigation. */
export function NotFoundPage() {
  const signedIn = useSession((state) => state.tokens.access !== null)
  const kind = useSession((state) => state.auth.user?.kind)
  const t = useT()
  if (!signedIn || !kind) {
    return (
      <PublicFrame links={isStaffPage() ? <a href="/staff/login">{t('auth.signIn')}</a> : <VisitorLinks />}>
        <NothingHere home="/" inside={false} />
      </PublicFrame>
    )
  }
  const Layout = kind === 'staff' ? StaffLayout : PortalLayout
  return (
    <Suspense>
      <Layout instead={<NothingHere home={kind === 'staff' ? '/staff' : '/dashboard'} inside />} />
    </Suspense>
  )
}

function NothingHere({ home, inside }: { home: string; inside: boolean }) {
  const t = useT()
  return (
    <>
      <PageHeader title={t('app.notFound')} />
      <MessagePanel
        kind="empty"
        title={t('app.notFoundTitle')}
        text={t(inside ? 'app.notFoundInside' : 'app.notFoundText')}
        action={
          <Button component="a" href={home}>
            {t('app.toStart')}
          </Button>
        }
      />
    </>
  )
}
