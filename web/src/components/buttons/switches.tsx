import { IconContrast, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import { type Scheme, setScheme, useScheme } from '../../lib/browser/scheme.ts'
import { languageNames, setLanguage, useLanguage, useT } from '../../lib/i18n.ts'
import { IconButton } from './plain-button.tsx'
import classes from './switches.module.css'

/** Switches to the other language. */
export function LanguageSwitch() {
  const other: Locale = useLanguage() === 'en' ? 'cn_zh' : 'en'
  return (
    <IconButton
      className={classes.button}
      lang={intlLocale(other)}
      aria-label={languageNames[other]}
      onClick={() => void setLanguage(other)}
    >
      <IconLanguage size={20} stroke={1.75} aria-hidden />
      <span className={classes.word}>{languageNames[other]}</span>
    </IconButton>
  )
}

const next: Record<Scheme, Scheme> = { auto: 'light', light: 'dark', dark: 'auto' }
const icons = { auto: IconContrast, light: IconSun, dark: IconMoon } as const

/** Cycles through the system's colour scheme, light and dark. */
export function SchemeSwitch() {
  const t = useT()
  const scheme = useScheme()
  const Icon = icons[scheme]
  const label = t('app.scheme', { scheme: t(`app.schemes.${scheme}`) })
  return (
    <IconButton className={classes.button} aria-label={label} title={label} onClick={() => setScheme(next[scheme])}>
      <Icon size={20} stroke={1.75} aria-hidden />
    </IconButton>
  )
}
