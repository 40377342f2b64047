import { useT } from '../../lib/i18n.ts'

/** The header links of pages outside the application. */
export function VisitorLinks() {
  const t = useT()
  return (
    <>
      <a href="/login">{t('auth.signIn')}</a>
      <a href="/register">{t('auth.register')}</a>
    </>
  )
}
