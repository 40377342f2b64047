import { defineConfig } from '@playwright/test'
import { temporaryFolder } from '../server/test/testing/memory-folder.ts'
import { findChromium } from './support/chromium.ts'

const { executablePath, args } = await findChromium()
// V8 optimizes no function: pages live too briefly to repay it. Journeys take about a tenth less CPU time, also with axe.
const unoptimized = '--js-flags=--max-optimized-bytecode-size=0'
// Chromium creates a temporary file for each piece of shared memory: on ext4 that takes a tenth of its CPU time.
const env = { ...process.env, TMPDIR: temporaryFolder() }

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const files = (...names: string[]) => names.map((name) => `**/${name}.spec.ts`)

// Each journey runs at the width at which its user works. Journeys on neither list run at both: the main parcel
// journey, and the checks of every screen.
const atDesk = files(
  'arranges-the-home-page',
  'asks-the-owner',
  'checks-out-a-large-cart',
  'claims-for-a-parcel',
  'counts-waiting-work',
  'declares-a-parcel-lost',
  'edits-with-colleagues',
  'follows-a-parcel',
  'gets-credits-back',
  'imports-stations',
  'installs-the-app',
  'invites-a-colleague',
  'makes-mistakes',
  'reads-aloud',
  'searches',
  'sends-a-trip',
  'serves-a-walk-in',
  'signs-in-with-keycloak',
  'suspends-an-account',
  'takes-cash',
)
const onPhone = files(
  'asks-about-a-parcel',
  'begins-a-parcel',
  'cancels-a-parcel',
  'comes-back',
  'counts-the-stock',
  'finds-a-station',
  'goes-back',
  'is-interrupted',
  'keeps-an-address-book',
  'loses-a-script',
  'moves-a-pickup',
  'pays-an-open-checkout',
  'pays-what-a-heavier-parcel-owes',
  'reads-chinese',
  'reads-notifications',
  'reports-a-delivery',
  'scans-a-pile',
  'scans-at-a-counter',
  'scans-at-a-pickup',
  'scans-with-the-camera',
  'sees-a-price-first',
  'ships-in-few-steps',
  'signs-in-with-a-second-factor',
  'signs-other-devices-out',
)
// Not possible on a phone; and a gunny of the demo can be packed only once in each language.
const deskOnly = files('begins-with-nothing', 'keyboard-only', 'packs-a-gunny', 'ships-by-keyboard')

/** `JOURNEYS=all`: every journey at both widths, which takes twice as long. */
const all = process.env.JOURNEYS === 'all'

/** English on a desktop and Chinese on a phone (decision 80). */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results',
  globalSetup: './support/server.ts',
  fullyParallel: true,
  // One more than the cores of a small machine: journeys also wait for pauses and for other parts of the portal.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  // On a busy machine a test may fail once for external reasons. Tests that pass only on the retry are listed in the
  // summary of npm test.
  retries: process.env.CI ? 1 : 0,
  // A journey registers, pays at a bank and ships: a minute on two busy cores.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [['list']] : 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args: [...args, unoptimized], env },
    // Starting the worker takes another tenth. Journeys about offline use, installation and push allow it.
    serviceWorkers: 'block',
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
    timezoneId: 'Asia/Kuala_Lumpur',
  },
  projects: [
    { name: 'desktop-en', use: { ...desktop, locale: 'en-MY' }, testIgnore: all ? [] : onPhone },
    {
      name: 'phone-zh',
      use: { ...phone, locale: 'zh-CN' },
      testIgnore: [...deskOnly, ...(all ? [] : atDesk)],
    },
  ],
})
