/** The pages of the simulated bank. */
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import type { Translate } from '@waybill/contract/ground/validation'
import { escapeHtml } from '../../../lib/html.ts'

/**
 * Pages of the simulated bank: plain HTML, with one script that submits the last form. Texts are `bank.*` in the
 * locale files.
 */

type Language = { locale: Locale; t: Translate }
type Form = Record<string, string>

const style = `
  *{box-sizing:border-box} body{margin:0;background:#eef2f7;color:#14213d;
    font:16px/1.5 system-ui,"Noto Sans SC",sans-serif}
  .demo{margin:0;background:#ffd166;color:#3d2c00;text-align:center;padding:.5rem 1rem;font-weight:600}
  header{background:#14407a;color:#fff;padding:1.25rem 1rem} header p{margin:0 auto;max-width:30rem;
    font-size:1.25rem;font-weight:600}
  main{width:calc(100% - 2rem);max-width:30rem;margin:1.5rem auto;background:#fff;border-radius:.5rem;
    padding:1.5rem;box-shadow:0 1px 6px #14213d22}
  h1{font-size:1.25rem;margin:0 0 1rem} dl{display:grid;grid-template-columns:auto 1fr;gap:.5rem 1.5rem;
    margin:0 0 1.5rem}
  dt{color:#4a5a75} dd{margin:0;text-align:right;overflow-wrap:anywhere} .amount{font-size:1.5rem;font-weight:700}
  button{display:block;width:100%;min-height:3rem;margin:.75rem 0 0;border-radius:.375rem;border:1px solid #14407a;
    background:#fff;color:#14407a;
    font:inherit;font-weight:600;cursor:pointer} button.main{background:#14407a;color:#fff}
    button:focus-visible{outline:3px solid #ffd166;outline-offset:2px}`

function page({ locale, t }: Language, title: string, content: string): string {
  return `<!doctype html>
<html lang="${intlLocale(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><p class="demo" role="note">${escapeHtml(t('bank.demo'))}</p><header><p>${escapeHtml(t('bank.name'))}</p></header>
<main><h1>${escapeHtml(title)}</h1>
${content}
</main></body></html>`
}

const hidden = (fields: Form) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')

/** Shows the amount and offers the three outcomes: pay, decline, cancel. */
export function payPage(language: Language, form: Form, action: string): string {
  const { t } = language
  const rows: [string, string, string?][] = [
    [t('bank.merchant'), form.MerchantCode ?? ''],
    [t('bank.description'), form.ProdDesc ?? ''],
    [t('bank.reference'), form.RefNo ?? ''],
    [t('bank.payer'), form.UserName ?? ''],
    [t('bank.amount'), `${form.Currency} ${form.Amount}`, 'amount'],
  ]
  const facts = rows.map(
    ([term, value, name]) =>
      `<dt>${escapeHtml(term)}</dt><dd${name ? ` class="${name}"` : ''}>${escapeHtml(value)}</dd>`,
  )
  const choices = [
    `<button class="main" name="choice" value="pay">${escapeHtml(t('bank.pay'))}</button>`,
    `<button name="choice" value="fail">${escapeHtml(t('bank.fail'))}</button>`,
    `<button name="choice" value="cancel">${escapeHtml(t('bank.cancel'))}</button>`,
  ]
  return page(
    language,
    t('bank.title'),
    `<dl>${facts.join('')}</dl>
<form method="post" action="${escapeHtml(action)}">${hidden({ RefNo: form.RefNo ?? '' })}${choices.join('')}</form>`,
  )
}

/** Sends the browser back with the signed answer; no click is needed if scripts run. */
export function continuePage(language: Language, answer: Form, action: string, script: string): string {
  const { t } = language
  const title = t(answer.Status === '1' ? 'bank.paid' : 'bank.notPaid')
  return page(
    language,
    title,
    `<p>${escapeHtml(t('bank.returning'))}</p>
<form method="post" action="${escapeHtml(action)}" id="continue">${hidden(answer)}
<button class="main">${escapeHtml(t('bank.continue'))}</button></form>
<script src="${escapeHtml(script)}" defer></script>`,
  )
}

/** The page for an invalid request. `back` returns the error to the merchant; null if the merchant is unknown. */
export function problemPage(
  language: Language,
  problem: string,
  back: { action: string; fields: Form } | null,
): string {
  const { t } = language
  const form = back
    ? `<form method="post" action="${escapeHtml(back.action)}">${hidden(back.fields)}
<button class="main">${escapeHtml(t('bank.continue'))}</button></form>`
    : ''
  return page(
    language,
    t('bank.refused'),
    `<p>${escapeHtml(t('bank.refusedHint'))}</p><p lang="en"><strong>${escapeHtml(problem)}</strong></p>${form}`,
  )
}

/** Submits after a delay that leaves time to read the page. The button serves browsers without scripts. */
export const continueScript = `setTimeout(() => document.getElementById('continue').submit(), 1500)\n`
