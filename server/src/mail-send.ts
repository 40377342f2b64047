import type { Deps } from './deps.ts'
import type { Jobs } from './jobs.ts'
import { intlLocale } from './lib/format.ts'
import { createMailer, type Mailer } from './lib/mail.ts'
import { renderMail } from './lib/mail-template.ts'

/** Mailgun takes SMTP too, with the domain's own user and password. */
const mailgunHost = 'smtp.mailgun.org'

/** The mail server that the settings name; null where the one that the server was started with is meant. */
function smtpUrlOf({ settings }: Deps): string | null {
  const mailgun = settings.get('mail.transport') === 'mailgun'
  const host = settings.get('mail.host') ?? (mailgun ? mailgunHost : null)
  if (host === null) return null
  const url = new URL(`${settings.get('mail.ssl') ? 'smtps' : 'smtp'}://${host}:${settings.get('mail.port')}`)
  url.username = encodeURIComponent(settings.get('mail.user') ?? '')
  url.password = encodeURIComponent(settings.secret('mail.password') ?? '')
  return url.href
}

/** The job `mail:send`: a template's words in the reader's language, in the deployment's colours. Throws while the mail server is away: tried again. */
export async function sendMail(deps: Deps, { to, template, locale, vars }: Jobs['mail:send']): Promise<void> {
  const { settings } = deps
  const logo = settings.get('company.logo')
  const brand = {
    appName: settings.get('app.name'),
    companyName: settings.get('company.name'),
    companyAddress: settings.get('company.address'),
    logoUrl: logo && new URL(logo, deps.config.http.publicUrl).href,
    colour: settings.get('ui.primaryColour'),
  }
  const mail = renderMail(template, vars, brand, deps.translations(locale), intlLocale(locale))
  const from = { name: settings.get('mail.fromName'), address: settings.get('mail.fromAddress') }
  const url = smtpUrlOf(deps)
  const { from: ownAddress, requireTls } = deps.config.mail
  const mailer: Mailer = url === null ? deps.mailer : createMailer(url, ownAddress, requireTls)
  try {
    await mailer.send({ to, from, ...mail })
  } finally {
    if (mailer !== deps.mailer) mailer.close()
  }
}
