/** Renders mails from the texts of the locale files. */
import { brandShades } from '@waybill/contract/ground/look/colour'
import type { Translate } from '@waybill/contract/ground/validation'
import { escapeHtml } from '../html.ts'
import { formatPhone } from '../phone.ts'

/*
 * A mail is words in the locale files, nothing else. To add one, write `mail.<template>` in both languages with these
 * keys:
 *
 *   subject   one line
 *   heading   one line, large
 *   body      paragraphs, one a line (`\n` between them), below the greeting of `mail.common`
 *   button    optional; the words of the button that leads to `vars.url`
 *   after     optional; paragraphs below code and button, e.g. "If this wasn't you, …"
 *   stop      optional; the words of the small link to `vars.stopPage`, which ends such mails
 *
 * All may use `{{name}}` for anything in the job's `vars`, and `{{appName}}` and `{{companyName}}`. `vars.code` is
 * shown large, digit by digit, between body and button. Money and times are put into `vars` as text, formatted by
 * the contract's ground/format, in the reader's language.
 */

/** The deployment's appearance in mails. */
export type MailBrand = {
  appName: string
  companyName: string
  /** Who sends the mail and how to reach them, at its end. Values may be empty. */
  imprint: {
    address: string
    registrationNumber: string | null
    taxNumber: string | null
    phone: string | null
    email: string | null
  }
  /** The absolute URL of an image; null: the name is written instead. */
  logoUrl: string | null
  /** `#rrggbb` */
  colour: string
}

export type RenderedMail = { subject: string; text: string; html: string }

const font = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'PingFang SC','Microsoft YaHei','Noto Sans SC',sans-serif"

/** The surface of the card, which the button must stand out from. */
const surfaces = { light: '#ffffff', dark: '#22252b' }

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** A phone number, or a number with hyphens such as a bank's reference: it must not break where the line ends. */
const wholeNumber = /\+\d[\d -]{5,18}\d|(?<![\w-])(?=[\w-]*\d)(?=\w+-)[\w-]{4,28}(?![\w-])/g

function toHtml(text: string): string {
  return escapeHtml(text).replace(wholeNumber, '<span style="white-space:nowrap">$&</span>')
}

function paragraph(text: string, kind: 'ink' | 'soft', margin = 16): string {
  return `<p class="${kind}" style="margin:0 0 ${margin}px;${styles[kind]}">${toHtml(text)}</p>`
}

/**
 * A mail as HTML and as plain text. `htmlLang` is the BCP 47 tag of its language.
 * @throws Error if the template is missing in the locale files.
 */
export function renderMail(
  template: string,
  vars: Record<string, unknown>,
  brand: MailBrand,
  t: Translate,
  htmlLang: string,
): RenderedMail {
  const all = { ...vars, appName: brand.appName, companyName: brand.companyName }
  const word = (key: string) => t(`mail.${template}.${key}`, { ...all, defaultValue: '' })
  const subject = word('subject').replace(/\s+/g, ' ')
  if (subject === '') throw new Error(`there is no mail template ${template}`)
  const body = lines(word('body'))
  const parts = {
    subject,
    heading: word('heading'),
    preheader: body[0] ?? '',
    body: [...(vars.name ? [t('mail.common.greeting', all)] : []), ...body],
    code: typeof vars.code === 'string' ? vars.code : null,
    codeLabel: t('mail.common.code'),
    button: typeof vars.url === 'string' && word('button') !== '' ? { label: word('button'), url: vars.url } : null,
    linkHint: t('mail.common.linkHint'),
    after: lines(word('after')),
    stop: typeof vars.stopPage === 'string' && word('stop') !== '' ? { label: word('stop'), url: vars.stopPage } : null,
    reason: t('mail.common.footer', all),
    imprint: imprintLines(brand, t),
  }
  return { subject, text: renderText(parts, t), html: renderHtml(parts, brand, htmlLang) }
}

type Parts = {
  subject: string
  heading: string
  /** The preview next to the subject in a list of mails; not shown in the mail. */
  preheader: string
  body: string[]
  code: string | null
  codeLabel: string
  button: { label: string; url: string } | null
  linkHint: string
  after: string[]
  stop: { label: string; url: string } | null
  /** Why the reader gets the mail. */
  reason: string
  imprint: string[]
}

function renderText(parts: Parts, t: Translate): string {
  const label = (text: string) => t('phrase.label', { label: text })
  return [
    parts.heading,
    ...parts.body,
    ...(parts.code ? [label(parts.codeLabel) + parts.code] : []),
    ...(parts.button ? [`${label(parts.button.label).trim()}\n${parts.button.url}`] : []),
    ...parts.after,
    ...(parts.stop ? [label(parts.stop.label) + parts.stop.url] : []),
    `-- \n${[parts.reason, ...parts.imprint].join('\n')}`,
  ].join('\n\n')
}

/** Name and address, registration, and the ways to reach the company, because replies are not read. */
function imprintLines({ companyName, imprint }: MailBrand, t: Translate): string[] {
  const { registrationNumber, taxNumber, address, phone, email } = imprint
  return [
    companyName,
    address,
    registrationNumber && `${t('invoiceDoc.registrationNumber')} ${registrationNumber}`,
    taxNumber && `${t('invoiceDoc.taxNumber')} ${taxNumber}`,
    [phone && formatPhone(phone), email].filter(Boolean).join(' · '),
  ].flatMap((part) => lines(part ?? ''))
}

const styles = {
  ink: 'color:#1f2329;font-size:16px;line-height:1.55',
  soft: 'color:#5c6470;font-size:13px;line-height:1.5',
}

/** Mail programs in dark mode: the same hierarchy of colours, and a light plate behind the logo. */
function darkStyles(colour: string): string {
  const { brand, onBrand } = brandShades(colour, surfaces.dark)
  return `@media (prefers-color-scheme:dark){.page{background:#16181c!important}
.card{background:${surfaces.dark}!important;border-left-color:#343942!important;border-right-color:#343942!important}
.card{border-bottom-color:#343942!important}.ink,.box{color:#eceef1!important}.box{background:#16181c!important}
.soft,.soft a{color:#a9b0bb!important}.rule{border-top-color:#343942!important}
.logo{background:#ffffff!important;padding:6px 10px!important;border-radius:6px!important}
.button{background:${brand}!important}.button a{color:${onBrand}!important}}`
}

/**
 * Tables and inline styles, because mail programs support little else. The colours stay readable when a program inverts
 * them for dark mode.
 */
function renderHtml(parts: Parts, brand: MailBrand, htmlLang: string): string {
  const { soft } = styles
  const shades = brandShades(brand.colour, surfaces.light)
  const box = [
    'margin:0 0 24px;padding:16px 0;background:#f2f3f5;border-radius:8px;text-align:center',
    'font:700 34px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:10px;text-indent:10px;color:#1f2329',
  ].join(';')
  const buttonText = `font-size:16px;font-weight:600;color:${shades.onBrand};text-decoration:none`
  const card = [
    'background:#ffffff;border:1px solid #e3e5e9',
    `border-top:4px solid ${brand.colour};border-radius:12px;padding:28px 32px 16px`,
    // A long name or address without spaces must not make the mail wider than a phone.
    'overflow-wrap:anywhere;word-break:break-word',
  ].join(';')
  const table = 'table role="presentation" cellpadding="0" cellspacing="0"'
  const name = escapeHtml(brand.companyName)
  const url = escapeHtml(parts.button?.url ?? '')
  const logo = brand.logoUrl
    ? `<img class="logo" src="${escapeHtml(brand.logoUrl)}" alt="${name}" height="36"
style="display:block;height:36px;max-width:100%;object-fit:contain;object-position:left;border:0">`
    : `<span class="ink" style="font-size:18px;font-weight:700;color:#1f2329">${escapeHtml(brand.appName)}</span>`
  const code = parts.code
    ? `${paragraph(parts.codeLabel, 'soft', 6)}
<p class="box" style="${box}">${escapeHtml(parts.code)}</p>`
    : ''
  const button = parts.button
    ? `<${table} style="margin:0 0 24px"><tr>
<td class="button" style="border-radius:8px;background:${shades.brand}">
<a href="${url}" style="display:inline-block;padding:13px 26px;${buttonText};border-radius:8px">
${escapeHtml(parts.button.label)}</a></td></tr></table>`
    : ''
  // A plain address for programs that block the button comes last: few readers need it.
  const link = parts.button
    ? `<p class="soft rule" style="margin:0 0 16px;padding-top:16px;border-top:1px solid #e3e5e9;${soft}">
${escapeHtml(parts.linkHint)}<br><a href="${url}" style="color:#5c6470;word-break:break-all">${url}</a></p>`
    : ''
  const stop = parts.stop
    ? `<p class="soft" style="margin:0 0 16px;${soft}">
<a href="${escapeHtml(parts.stop.url)}" style="color:#5c6470">${escapeHtml(parts.stop.label)}</a></p>`
    : ''
  return `<!doctype html>
<html lang="${htmlLang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(parts.subject)}</title>
<style>h1{text-wrap:balance}@media (max-width:480px){.card,.foot{padding-left:20px!important}
.card,.foot{padding-right:20px!important}.edge{padding:16px 8px!important}}
${darkStyles(brand.colour)}</style></head>
<body class="page" style="margin:0;padding:0;background:#f2f3f5;font-family:${font}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(parts.preheader)}</div>
<${table} class="page" width="100%" style="background:#f2f3f5">
<tr><td class="edge" align="center" style="padding:32px 16px">
<${table} width="100%" style="max-width:560px;table-layout:fixed;text-align:left">
<tr><td class="card" style="${card}">
<div style="margin:0 0 24px">${logo}</div>
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#1f2329">${toHtml(parts.heading)}</h1>
${parts.body.map((text) => paragraph(text, 'ink')).join('\n')}
${code}
${button}
${parts.after.map((text) => paragraph(text, 'soft')).join('\n')}
${link}
${stop}
</td></tr>
<tr><td class="foot" style="padding:20px 32px">${paragraph(parts.reason, 'soft', 8)}
<p class="soft" style="margin:0;${soft}">${parts.imprint.map(toHtml).join('<br>')}</p></td></tr>
</table></td></tr></table></body></html>`
}
