import { constants } from '@waybill/contract/ground/constants'
import { onDeployment, presentDeployment } from '../../lib/settings/deployment.ts'

let style: HTMLStyleElement | undefined

async function paint(): Promise<void> {
  const colour = presentDeployment()?.primaryColour ?? constants.primaryColour
  // Only deployments with an individual colour load the computation.
  const rules = colour === constants.primaryColour ? '' : (await import('./brand-rules.ts')).brandRules(colour)
  if (rules === (style?.textContent ?? '')) return
  style ??= document.head.appendChild(document.createElement('style'))
  style.textContent = rules
}

/** Applies the deployment's colour, now and after each change. Await it before the first render. */
export async function followBrandColour(): Promise<void> {
  // Without the colour the page still works.
  const tryPaint = () => paint().catch((error: unknown) => console.warn('The colour could not be loaded.', error))
  onDeployment(() => void tryPaint())
  await tryPaint()
}
