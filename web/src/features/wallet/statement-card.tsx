import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { walletStatement } from '@waybill/contract/wallet/preferences'
import { useState } from 'react'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, Panel, Row } from '../../components/layout/boxes.tsx'
import { Note } from '../../components/layout/text.tsx'
import { saveDocument } from '../../lib/download.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { monthsBefore } from './months.ts'

const monthsShown = 24

/** The statement of a past month, as PDF or spreadsheet. */
export function StatementCard() {
  const t = useT()
  const format = useFormat()
  const months = monthsBefore(format.today(), monthsShown)
  const [month, setMonth] = useState(months[0] ?? '')
  const save = useSend((file: 'pdf' | 'xlsx') => saveDocument(walletStatement, { query: { month, format: file } }))
  return (
    <Panel title={t('statement.heading')}>
      <Note>{t('statement.hint')}</Note>
      <Row align="end" gap={12}>
        <NativeSelect
          label={t('statement.month')}
          value={month}
          onChange={(event) => setMonth(event.currentTarget.value)}
          data={months.map((value) => ({ value, label: format.month(value) }))}
        />
        <Buttons>
          <Button
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={save.pending}
            onClick={() => void save.send('pdf')}
          >
            PDF
          </Button>
          <Button
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={save.pending}
            onClick={() => void save.send('xlsx')}
          >
            Excel
          </Button>
        </Buttons>
      </Row>
    </Panel>
  )
}
