import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { LanguageSwitch, SchemeSwitch } from '../buttons/switches.tsx'
import { Brand } from './brand.tsx'
import classes from './public-frame.module.css'

type Props = {
  children: ReactNode
  /** `form`: one narrow column; `page`: the usual width. */
  width?: 'form' | 'page'
  /** Links in the header, next to the language and colour switches. */
  links?: ReactNode
}

const footerLinks = [
  // Not the tracking page itself: it clears the browser's storage, and a signed-in user would be signed out.
  ['/', 'home.track'],
  ['/public/prices', 'legal.prices'],
  ['/public/stations', 'nav.stations'],
  ['/public/terms', 'legal.terms'],
  ['/public/privacy', 'legal.privacy'],
  ['/public/contact', 'legal.contact'],
] as const

/**
 * The frame of pages without a session. It uses neither Mantine nor the router, because the light entries share it.
 */
export function PublicFrame({ children, width = 'page', links }: Props) {
  const t = useT()
  return (
    <div className={classes.root}>
      <a className="wb-skip" href="#main">
        {t('app.skip')}
      </a>
      <header className={classes.header}>
        <a href="/">
          <Brand />
        </a>
        <nav className={classes.tools} aria-label={t('nav.site')}>
          {links}
          <LanguageSwitch />
          <SchemeSwitch />
        </nav>
      </header>
      <main id="main" tabIndex={-1} className={classes.main} data-width={width}>
        {children}
      </main>
      <footer className={classes.footer}>
        <nav aria-label={t('legal.footer')}>
          {footerLinks.map(([path, label]) => (
            <a key={path} href={path}>
              {t(label)}
            </a>
          ))}
        </nav>
      </footer>
    </div>
  )
}
