import { PublicFrame } from '../../components/layout/public-frame.tsx'
import { VisitorLinks } from '../../components/layout/visitor-links.tsx'
import { TrackPage } from '../../features/tracking/track-page.tsx'
import { currentScheme, setScheme } from '../../lib/browser/scheme.ts'
import { languageKey, local } from '../../lib/browser/storage.ts'
import { currentLanguage, startI18n } from '../../lib/i18n.ts'
import { mount } from './mount.tsx'

// The public tracking page does not load settings and clears local storage on load (the specification, section 2). The
// language and colour scheme are read first, and stay in use. Those chosen are stored again for the next page.
const storedLanguage = local.get(languageKey)
const texts = startI18n('track')
local.clear()
addEventListener('pagehide', () => {
  if (storedLanguage) local.set(languageKey, currentLanguage())
  setScheme(currentScheme())
})
await texts

await mount(
  <PublicFrame links={<VisitorLinks />}>
    <TrackPage />
  </PublicFrame>,
)
