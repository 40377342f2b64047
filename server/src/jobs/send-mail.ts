import { intlLocale } from '@waybill/contract/ground/enums'
import type { Deps } from '../deps.ts'
import { type Breaker, createBreaker } from '../lib/breaker.ts'
import { createMailer, type Mailer } from '../lib/mail/mail.ts'
import { renderMail } from '../lib/mail/template.ts'
import type { JobRun, Jobs } from './jobs.ts'

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

/** One for each mail server, whether it was configured at the start or in the settings. */
const breakers = new Map<string, Breaker>()

function breakerOf(server: string): Breaker {
  const known = breakers.get(server)
  if (known) return known
  const breaker = createBreaker({
    message: 'The mail server did not answer a moment ago; it is asked again later.',
    pauseMs: 30_000,
    isTimeout: (error) => (error as { code?: unknown } | null)?.code === 'ETIMEDOUT',
  })
  breakers.set(server, breaker)
  return breaker
}

/** A job's id alone could come again in a restored database; with its time it does not. */
const messageIdOf = (job: JobRun, publicUrl: string) =>
  `<job-${job.id}-${job.createdAt.getTime()}@${new URL(publicUrl).hostname}>`

/**
 * The job `mail:send`: a template's words in the reader's language, in the deployment's colours.
 * Throws while the mail server is away: tried again.
 */
export async function sendMail(
  deps: Deps,
  { to, template, locale, vars }: Jobs['mail:send'],
  job?: JobRun,
): Promise<void> {
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
  const messageId = job && messageIdOf(job, deps.config.http.publicUrl)
  const url = smtpUrlOf(deps)
  const { from: ownAddress, requireTls } = deps.config.mail
  const mailer: Mailer = url === null ? deps.mailer : createMailer(url, ownAddress, requireTls)
  try {
    await breakerOf(url ?? 'configured').run(() => mailer.send({ to, from, messageId, ...mail }))
  } finally {
    if (mailer !== deps.mailer) mailer.close()
  }
}
