import { chromium } from '@playwright/test'
import { findChromium } from './support/chromium.ts'
import startDemo from './support/server.ts'
const stop = await startDemo()
const portal = process.env.WAYBILL_URL ?? ''
const browser = await chromium.launch(await findChromium())
try {
  for (const [email, lang] of [['aisyah@example.com', 'en'], ['weiming@example.com', 'cn_zh'], ['priya@example.com','en']] as const) {
    const answer = await fetch(`${portal}/api/customer/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email, password: 'waybill-demo' }) })
    const session = await answer.json()
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    page.on('console', (m) => console.log(email, m.text()))
    page.on('pageerror', (e) => console.log('ERR', e.message))
    await page.addInitScript(({ session, lang }) => { localStorage.setItem('lang', lang); localStorage.setItem('u', JSON.stringify(session.user)); localStorage.setItem('t', session.token); localStorage.setItem('rt', session.refreshToken) }, { session, lang })
    await page.route('**/global.json', async (route) => { await new Promise((r) => setTimeout(r, 1500)); await route.continue() })
    await page.goto(portal + '/parcels/new')
    await page.waitForTimeout(3500)
    console.log(email, await page.locator('h1').allTextContents())
  }
} finally { await browser.close(); await stop() }
