/** Sends mails in the background. */
import { intlLocale } from '@waybill/contract/ground/constants'
import type { Deps } from '../deps.ts'
import { isMailOff } from '../domains/notifications/preferences.ts'
import { readImprint } from '../domains/settings/present.ts'
import { logoUrl } from '../domains/settings/service.ts'
import { type Breaker, createBreaker } from '../lib/breaker.ts'
import { createMailer, isRefusedForGood, type Mailer } from '../lib/mail/mail.ts'
import { createMailgunMailer } from '../lib/mail/mailgun.ts'
import { renderMail } from '../lib/mail/template.ts'
import { type JobRun, type Jobs, PermanentJobError } from './jobs.ts'

/** The mail server of the settings; null if the one of the environment is used. */
function getSmtpUrl({ settings }: Deps): string | null {
  const host = settings.get('mail.host')
  if (host === null) return null
  const urlHost = host.includes(':') ? `[${host}]` : host
  const url = new URL(`${settings.get('mail.ssl') ? 'smtps' : 'smtp'}://${urlHost}:${settings.get('mail.port')}`)
  url.username = encodeURIComponent(settings.get('mail.user') ?? '')
  url.password = encodeURIComponent(settings.secret('mail.password') ?? '')
  return url.href
}

/** The mailer of the settings, and the name of its server for the breaker. */
function openMailer(deps: Deps): { server: string; mailer: Mailer } {
  const { settings, config } = deps
  const { from, requireTls, mailgunUrl } = config.mail
  if (settings.get('mail.transport') === 'mailgun') {
    const [domain, region] = [settings.get('mail.mailgunDomain') ?? '', settings.get('mail.mailgunRegion')]
    const access = { domain, region, key: settings.secret('mail.mailgunKey') ?? '', url: mailgunUrl }
    return { server: `mailgun ${region} ${domain}`, mailer: createMailgunMailer(access, from) }
  }
  const url = getSmtpUrl(deps)
  if (url === null) return { server: 'configured', mailer: deps.mailer }
  return { server: url, mailer: createMailer(url, from, requireTls) }
}

/** One breaker per mail server, whether it comes from the environment or from the settings. */
const breakers = new Map<string, Breaker>()

function getBreaker(server: string): Breaker {
  const existing = breakers.get(server)
  if (existing) return existing
  const breaker = createBreaker({
    message: 'The mail server did not answer a moment ago; it is asked again later.',
    pauseMs: 30_000,
    isTimeout: (error) => (error as { code?: unknown } | null)?.code === 'ETIMEDOUT',
  })
  breakers.set(server, breaker)
  return breaker
}

/** Includes the job's time: in a restored database the same job id can come again. */
const buildMessageId = (job: JobRun, publicUrl: string) =>
  `<job-${job.id}-${job.createdAt.getTime()}@${new URL(publicUrl).hostname}>`

/**
 * The job `mail:send`. Throws while the mail server is down, so that the job is retried. A mail that is refused
 * permanently ends at once: further attempts would only harm the sender's reputation. A mail whose code or link is no
 * longer valid is dropped.
 * @throws PermanentJobError with the template and the mail server's message
 */
export async function sendMailJob(
  deps: Deps,
  payload: Jobs['mail:send'],
  job?: JobRun,
): Promise<'dropped' | undefined> {
  if (payload.expiresAt !== undefined && new Date(payload.expiresAt) <= deps.clock.now()) return 'dropped'
  try {
    await sendMail(deps, payload, job)
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    throw new PermanentJobError(`${payload.template}: ${(error as Error).message}`, { cause: error })
  }
  return undefined
}

/** Renders a template in the reader's language and sends it. Throws if the mail server does not accept it. */
export async function sendMail(
  deps: Deps,
  { to, userId, template, locale, vars }: Jobs['mail:send'],
  job?: JobRun,
): Promise<void> {
  if (await isMailOff(deps.db, userId, template)) return
  const { settings } = deps
  const brand = {
    appName: settings.get('app.name'),
    companyName: settings.get('company.name'),
    imprint: readImprint(settings),
    logoUrl: logoUrl(deps),
    colour: settings.get('ui.primaryColour'),
  }
  const mail = renderMail(template, vars, brand, deps.translations(locale), intlLocale(locale))
  const from = { name: settings.get('mail.fromName'), address: settings.get('mail.fromAddress') }
  const unsubscribeUrl = typeof vars.stopUrl === 'string' ? vars.stopUrl : undefined
  const messageId = job && buildMessageId(job, deps.config.http.publicUrl)
  const { server, mailer } = openMailer(deps)
  try {
    await getBreaker(server).run(() => mailer.send({ to, from, messageId, unsubscribeUrl, ...mail }))
  } finally {
    if (mailer !== deps.mailer) mailer.close()
  }
}
