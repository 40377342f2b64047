/** The pages of the simulated mailbox. */
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import { formatDate } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { requestLocale } from '../../../http/route.ts'
import { escapeHtml } from '../../../lib/html.ts'
import type { Mailbox, ReceivedMail } from './mailbox.ts'

/** A mail may use styles and images, also our own without TLS; scripts, forms and other content are blocked. */
const buildMailPolicy = (publicUrl: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data: https: ${new URL(publicUrl).origin}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

const hidden = { schema: { hide: true } }
const maxShown = 100

/**
 * The demo's mailbox: a page that refreshes itself at `/demo/mailbox`, the HTML of one mail at `/demo/mailbox/:id`,
 * and all mails as JSON at `/demo/mailbox.json`. Anyone who can reach the demo can read it, so production has none.
 */
export function demoMailboxRoutes(app: FastifyInstance, deps: Deps, mailbox: Mailbox): void {
  if (!deps.config.demo || deps.config.env === 'production') throw new Error('the mailbox is for the demo only')

  app.get('/demo/mailbox', hidden, async (request, reply) => {
    const locale = requestLocale(request)
    const mailId = Number((request.query as Record<string, unknown>).mail)
    const page = new MailboxPage(deps, locale, mailbox.mails().slice(0, maxShown))
    return sendHtml(reply, page.render(mailId))
  })

  app.get('/demo/mailbox.json', hidden, async () => ({ items: mailbox.mails().slice(0, maxShown) }))

  app.get('/demo/mailbox/:id', hidden, async (request, reply) => {
    const { id } = request.params as { id: string }
    const mail = mailbox.mails().find((each) => String(each.id) === id)
    if (!mail) return reply.callNotFound()
    reply.header('content-security-policy', buildMailPolicy(deps.config.http.publicUrl))
    // Links open in the top window, because the frame may not navigate.
    return sendHtml(reply, mail.html.replace(/<head[^>]*>/i, '$&<base target="_top">'))
  })
}

function sendHtml(reply: FastifyReply, html: string) {
  return reply.type('text/html; charset=utf-8').send(html)
}

const style = `
  :root{color-scheme:light dark;--ink:#1f2329;--soft:#5c6470;--page:#f2f3f5;--card:#fff;--line:#e3e5e9;--on:#fdeceb}
  @media (prefers-color-scheme:dark){:root{--ink:#eceef1;--soft:#a9b0bb;--page:#16181c;--card:#22252b;
    --line:#343942;--on:#4a2322}}
  *{box-sizing:border-box} body{margin:0;background:var(--page);color:var(--ink);
    font:16px/1.5 system-ui,"Noto Sans SC",sans-serif}
  header{background:var(--card);border-bottom:1px solid var(--line);padding:1rem 1.5rem} h1{font-size:1.25rem;
    margin:0} a{color:inherit}
  header p{margin:.25rem 0 0;color:var(--soft);font-size:.875rem}
  main{display:grid;gap:1rem;padding:1rem 1.5rem;grid-template-columns:minmax(16rem,24rem) 1fr;align-items:start}
  ol{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);border-radius:.5rem;
    overflow:hidden}
  li+li{border-top:1px solid var(--line)} li a{display:block;padding:.75rem 1rem;text-decoration:none;
    overflow-wrap:anywhere}
  li a[aria-current]{background:var(--on);box-shadow:inset 3px 0 #e82023} li a:hover strong{text-decoration:underline}
  a:focus-visible{outline:2px solid #e82023;outline-offset:-2px} small{display:block;color:var(--soft)}
  article{background:var(--card);border:1px solid var(--line);border-radius:.5rem;overflow:hidden}
    article h2{font-size:1.125rem;margin:1rem 1rem .5rem}
  dl{display:grid;grid-template-columns:auto 1fr;gap:.125rem 1rem;margin:0 1rem 1rem;font-size:.875rem}
    dt{color:var(--soft)} dd{margin:0;overflow-wrap:anywhere}
  iframe{display:block;width:100%;height:40rem;border:0;border-top:1px solid var(--line);background:#f2f3f5}
    details{border-top:1px solid var(--line);padding:.75rem 1rem}
  pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.875rem} .empty{padding:2rem;color:var(--soft)}
  @media (max-width:48rem){main{grid-template-columns:1fr;padding:1rem}article{order:-1}}`

class MailboxPage {
  readonly #deps: Deps
  readonly #locale: Locale
  readonly #t: Translate
  readonly #mails: readonly ReceivedMail[]

  constructor(deps: Deps, locale: Locale, mails: readonly ReceivedMail[]) {
    this.#deps = deps
    this.#locale = locale
    this.#t = deps.translations(locale)
    this.#mails = mails
  }

  render(mailId: number): string {
    const open = this.#mails.find((mail) => mail.id === mailId) ?? this.#mails[0]
    const say = (key: string, vars?: Record<string, unknown>) => escapeHtml(this.#t(`demoMailbox.${key}`, vars))
    const title = say('title')
    const count = say('count', { count: this.#mails.length })
    const lines = this.#mails.map((mail) => this.#line(mail, mail === open))
    return `<!doctype html>
<html lang="${intlLocale(this.#locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="refresh" content="10">
<title>${title} (${this.#mails.length})</title><style>${style}</style></head>
<body><header><h1>${title}</h1><p>${say('lead')} ${say('refresh')} <a href="/">${say('home')}</a></p></header>
<main>${
      open
        ? `<nav aria-label="${count}"><ol>${lines.join('')}</ol></nav>${this.#mail(open)}`
        : `<p class="empty">${say('empty')}</p>`
    }</main></body></html>`
  }

  #time(mail: ReceivedMail): string {
    const { settings } = this.#deps
    return escapeHtml(
      formatDate(mail.at.toISOString(), settings.get('timezone'), settings.get('format.dateTime'), this.#locale),
    )
  }

  #line(mail: ReceivedMail, open: boolean): string {
    const current = open ? ' aria-current="true"' : ''
    return `<li><a href="/demo/mailbox?mail=${mail.id}"${current}><strong>${escapeHtml(mail.subject)}</strong>
<small>${escapeHtml(mail.to.join(', '))}</small><small>${this.#time(mail)}</small></a></li>`
  }

  #mail(mail: ReceivedMail): string {
    const subject = escapeHtml(mail.subject)
    const facts = [
      ['from', escapeHtml(mail.from)],
      ['to', escapeHtml(mail.to.join(', '))],
      ['at', this.#time(mail)],
    ].map(([key, value]) => `<dt>${escapeHtml(this.#t(`demoMailbox.${key}`))}</dt><dd>${value}</dd>`)
    return `<article><h2>${subject}</h2><dl>${facts.join('')}</dl>
<iframe src="/demo/mailbox/${mail.id}" title="${subject}" sandbox="allow-top-navigation-by-user-activation"></iframe>
<details><summary>${escapeHtml(this.#t('demoMailbox.plain'))}</summary>
<pre>${escapeHtml(mail.text)}</pre></details></article>`
  }
}
