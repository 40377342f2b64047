import { defineConfig } from '@playwright/test'
import { findChromium } from './support/chromium.ts'

const { executablePath, args } = await findChromium()

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

// What these find depends little on width and language: these are done once in each.
const once = [
  '**/begins-with-nothing.spec.ts',
  '**/comes-back.spec.ts',
  '**/looks-at-every-screen.spec.ts',
  '**/makes-mistakes.spec.ts',
  '**/opens-what-is-folded.spec.ts',
  '**/pays-what-a-heavier-parcel-owes.spec.ts',
  '**/reads-aloud.spec.ts',
  '**/scans-a-pile.spec.ts',
  '**/scans-with-the-camera.spec.ts',
  '**/signs-in-with-a-second-factor.spec.ts',
  '**/signs-in-with-keycloak.spec.ts',
]
// At a desk; and a sack of the demo is packed once in each language.
const desk = ['**/begins-with-nothing.spec.ts', '**/keyboard-only.spec.ts', '**/packs-a-gunny.spec.ts']

/**
 * Every journey is done at phone and desktop width, in English and Chinese; looking at every screen in two of the four
 * pairs.
 */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results',
  globalSetup: './support/server.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // On a busy machine a test may fail once for outside reasons. Tests that pass only on the retry are listed in the
  // verdict of npm test.
  retries: process.env.CI ? 1 : 0,
  // A journey registers, pays at a bank and ships: a minute on two busy cores, and it waits for what it means.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [['list']] : 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args },
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
    timezoneId: 'Asia/Kuala_Lumpur',
  },
  projects: [
    { name: 'desktop-en', use: { ...desktop, locale: 'en-MY' } },
    { name: 'phone-zh', use: { ...phone, locale: 'zh-CN' }, testIgnore: desk },
    { name: 'desktop-zh', use: { ...desktop, locale: 'zh-CN' }, testIgnore: once },
    { name: 'phone-en', use: { ...phone, locale: 'en-MY' }, testIgnore: [...once, ...desk] },
  ],
})
