import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { getSetup, sendTestMail } from '@waybill/contract/setup/setup'
import { type ReactNode, useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Notice, Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

type Props = { variant: 'filled' | 'default'; children?: ReactNode }

/** Sends a test mail to the user, and explains the mail server's answer. `children`: buttons before it. */
export function MailTest({ variant, children }: Props) {
  const t = useT()
  const [result, setResult] = useState<ResponseOf<typeof sendTestMail> | null>(null)
  const test = useSend(() => call(sendTestMail, {}), { refresh: [getSetup], onSuccess: setResult })
  return (
    <Stack gap={12}>
      <div role="status">
        {result && (
          <Notice as="div" tone={result.trouble ? 'warning' : 'success'}>
            {result.trouble
              ? t(`setupPage.trouble.${result.trouble}`, { to: result.to })
              : t('setupPage.mail.sent', { to: result.to })}
            {result.answer && <Quiet>{t('setupPage.mail.answer', { answer: result.answer })}</Quiet>}
          </Notice>
        )}
      </div>
      <Buttons>
        {children}
        <Button variant={variant} loading={test.pending} onClick={() => void test.send()}>
          {t('setupPage.mail.test')}
        </Button>
      </Buttons>
    </Stack>
  )
}
