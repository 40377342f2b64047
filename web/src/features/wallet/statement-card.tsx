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
import { useAccountMonths } from '../../lib/time/account-months.ts'

/** The statement of a past month, as PDF or spreadsheet. A new account has none before its first month is over. */
export function StatementCard() {
  const t = useT()
  const format = useFormat()
  const [current = '', ...months] = useAccountMonths()
  const [selected, setMonth] = useState('')
  const month = months.find((each) => each === selected) ?? months[0] ?? ''
  const save = useSend((file: 'pdf' | 'xlsx') => saveDocument(walletStatement, { query: { month, format: file } }))
  if (months.length === 0) {
    return (
      <Panel title={t('statement.heading')}>
        <Note>{t('statement.notYet', { month: format.month(current) })}</Note>
      </Panel>
    )
  }
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
