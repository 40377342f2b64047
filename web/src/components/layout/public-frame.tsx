import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { LanguageSwitch, SchemeSwitch } from '../buttons/switches.tsx'
import { Brand } from './brand.tsx'
import classes from './public-frame.module.css'

type Props = {
  children: ReactNode
  /** `form`: one narrow column; `page`: the usual width. */
  width?: 'form' | 'page'
  /** Links at the top, beside the switches. */
  links?: ReactNode
}

/**
 * The frame of pages that need no session. Works without the kit and without the router, since the light entries use it
 * too.
 */
export function PublicFrame({ children, width = 'page', links }: Props) {
  const t = useT()
  return (
    <div className={classes.root}>
      <a className={classes.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={classes.header}>
        <a href="/" className={classes.brand}>
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
    </div>
  )
}
