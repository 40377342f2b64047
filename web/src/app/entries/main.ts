import { whenIdle } from '../../lib/browser/idle.ts'
import { startCredentials } from '../../lib/credentials.ts'
import { ensureChineseFont, loadAllTexts, startI18n } from '../../lib/i18n.ts'
import { hydrateSession } from '../../lib/session.ts'
import { requestFirstData } from './first-data.ts'
import { createQueryClient } from './query-client.ts'

/**
 * How long the first render waits for the data of the form. Without the data it shows only the frame, and rendering
 * that takes about as long as this.
 */
const patienceMs = 250
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

startCredentials()
const queries = createQueryClient()
const texts = startI18n('index')
await hydrateSession()
// The first texts are those of the frame and of a new parcel. Any other page waits for all texts: React would discard
// the state of a page that suspends in its first render.
const isNewParcel = location.pathname === '/parcels/new'
const allTexts = isNewParcel ? null : loadAllTexts()
const firstData = isNewParcel ? requestFirstData(queries) : null
const { mountApplication } = await import('./application.tsx')
// The texts and the session are loaded before the first render: nothing is shown in the wrong language or to the wrong
// user.
await Promise.all([texts, allTexts, Promise.race([firstData, wait(patienceMs)])])

await mountApplication(queries)

// For Chinese names on an English page.
whenIdle(() => void ensureChineseFont())
// For the next page. The requests of this page come first.
whenIdle(() => void loadAllTexts())

// Without it, a message may cover a button for some seconds.
whenIdle(async () => {
  const module = await import('../../components/feedback/keep-clear.ts').catch(() => null)
  module?.keepMessagesClear()
})

// Registering the service worker needs no permission: that is requested when somebody follows a parcel. If it fails,
// the portal works without it.
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/push-worker.js').catch(() => undefined)
