import { PublicFrame } from '../../components/layout/public-frame.tsx'
import { VisitorLinks } from '../../components/layout/visitor-links.tsx'
import { TrackPage } from '../../features/tracking/track-page.tsx'
import { savedLanguage, startI18n } from '../../lib/i18n.ts'
import '../../lib/browser/scheme.ts'
import { local } from '../../lib/browser/storage.ts'
import { mount } from './mount.tsx'

// The public tracking page does not load settings and clears local storage on load (the specification, section 2). The
// language and colour scheme are read first, and stay in use until the page is left.
const language = savedLanguage()
local.clear()
await startI18n('track', language)

await mount(
  <PublicFrame links={<VisitorLinks />}>
    <TrackPage />
  </PublicFrame>,
)
