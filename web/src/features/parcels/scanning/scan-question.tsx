import { Button } from '@mantine/core'
import type { ScanEvent } from '@waybill/contract/parcels/scanning'
import { Remarks } from '../../../components/display/remarks.tsx'
import { Buttons, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Mono, Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { FailedAttemptNote } from '../rider-tasks/failed-attempt-note.tsx'
import classes from './scan.module.css'
import type { Question } from './use-scan-desk.ts'

type Props = { question: Question; onAnswer: (event: ScanEvent) => void; onCancel: () => void }

/**
 * Asks for the event of a parcel. Answered by a button, or by its number and Enter in the field, which keeps the focus.
 */
export function ScanQuestion({ question, onAnswer, onCancel }: Props) {
  const t = useT()
  const format = useFormat()
  return (
    <Panel style={{ marginBlockEnd: 24 }} aria-label={t('scanPage.whatNow')}>
      <Row as="h2" gap="0 12px">
        <span>{t('scanPage.whatNow')}</span>
        <Mono>{format.trackingNumber(question.number)}</Mono>
      </Row>
      {(question.remarks || question.failedAttempt) && (
        <Stack gap={12} style={{ marginBlockEnd: 16 }}>
          <Remarks text={question.remarks} />
          {question.failedAttempt && <FailedAttemptNote failure={question.failedAttempt} />}
        </Stack>
      )}
      <Buttons>
        {question.events.map((event, index) => (
          <Button
            key={event}
            size="lg"
            leftSection={
              <kbd className={classes.key} aria-hidden>
                {index + 1}
              </kbd>
            }
            onClick={() => onAnswer(event)}
          >
            {t(`scanPage.event.${event}`)}
          </Button>
        ))}
        <Button size="lg" variant="subtle" onClick={onCancel}>
          {t('actions.cancel')}
        </Button>
      </Buttons>
      <Note>
        {question.unchecked
          ? t('phrase.sentences', { first: t('scanPage.unchecked'), second: t('scanPage.byNumber') })
          : t('scanPage.byNumber')}
      </Note>
    </Panel>
  )
}
