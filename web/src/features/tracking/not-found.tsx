import { IconAlertCircle } from '@tabler/icons-react'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { TrackingAnswer } from '@waybill/contract/tracking/tracking'
import { PlainButton } from '../../components/buttons/plain-button.tsx'
import { Panel, Row } from '../../components/layout/boxes.tsx'
import { Mono } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'

type Missing = TrackingAnswer['notFound'][number]

/** An unknown or invalid number, with advice. */
export function NotFound({
  missing,
  onInstead,
}: {
  missing: Missing
  onInstead: (wrong: string, right: string) => void
}) {
  const t = useT()
  const { number, suggestion, link } = missing
  return (
    <Panel padding={16}>
      <Row align="start" gap={12} style={{ flexWrap: 'nowrap' }}>
        <IconAlertCircle size={20} aria-hidden color="var(--wb-warning)" style={{ flex: 'none' }} />
        <div>
          <Mono as="h2">{groupTrackingNumber(number)}</Mono>
          <p>{missing.message}</p>
          {link && (
            <a href={link} rel="noreferrer" target="_blank">
              {t('trackPage.postal')}
            </a>
          )}
          {suggestion && (
            <PlainButton style={{ marginBlockStart: 8 }} onClick={() => onInstead(number, suggestion)}>
              {t('trackPage.instead', { number: groupTrackingNumber(suggestion) })}
            </PlainButton>
          )}
        </div>
      </Row>
    </Panel>
  )
}
