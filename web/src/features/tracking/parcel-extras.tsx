import { isTrackingEnded } from '@waybill/contract/ground/status/tracking-status'
import { type ComponentType, lazy, useEffect, useState } from 'react'
import { PlainButton } from '../../components/buttons/plain-button.tsx'
import { LazyPart } from '../../components/feedback/lazy-part.tsx'
import { Buttons } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'
import type { ExtraProps } from './extra-props.ts'
import { findFollowToken } from './following/follow-token.ts'

/** Loaded when opened: the page itself must stay small. */
const extras: readonly { name: 'unlock' | 'follow' | 'map'; Content: ComponentType<ExtraProps> }[] = [
  { name: 'unlock', Content: lazy(() => import('./unlock-panel.tsx')) },
  { name: 'follow', Content: lazy(() => import('./following/follow-panel.tsx')) },
  { name: 'map', Content: lazy(() => import('./map-panel.tsx')) },
]

/** Parts that most visitors do not need: each button opens its part below. */
export function ParcelExtras(props: ExtraProps) {
  const t = useT()
  const [openNames, setOpenNames] = useState<ReadonlySet<string>>(new Set())
  const { parcel } = props
  const number = isTrackingEnded(parcel.trackingStatus) ? null : parcel.trackingNumber
  // One click ends following: if this browser follows the parcel, the button is shown at once.
  useEffect(() => {
    if (number === null) return
    void findFollowToken(number).then((token) => {
      if (token !== null) setOpenNames((before) => new Set(before).add('follow'))
    })
  }, [number])
  const toggle = (name: string) =>
    setOpenNames((before) => {
      const after = new Set(before)
      if (!after.delete(name)) after.add(name)
      return after
    })
  return (
    <>
      <Buttons>
        {extras.map(({ name }) => (
          <PlainButton key={name} aria-expanded={openNames.has(name)} onClick={() => toggle(name)}>
            {t(`trackPage.${name}.open`)}
          </PlainButton>
        ))}
      </Buttons>
      {extras.map(
        ({ name, Content }) =>
          openNames.has(name) && (
            <LazyPart key={name} fallback={<p role="status">{t('trackPage.busy')}</p>}>
              <Content {...props} />
            </LazyPart>
          ),
      )}
    </>
  )
}
